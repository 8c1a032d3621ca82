# A table as as many documents as the server's limits ask for: list(list(body, records, until)). Once a part is stored with those before it, all
# columns are safe up to `until`.

documents <- function(table, mode, units) {
  groups <- split(seq_along(table$columns), (seq_along(table$columns) - 1) %/% COLUMNS_MAX)
  parts <- lapply(seq_along(groups), function(group) {
    some <- documents_of(table$times, table$columns[groups[[group]]], mode, units)
    # Before the last columns have their turn, no time is safe in all of them.
    if (group < length(groups) && length(table$times)) some <- lapply(some, function(part) utils::modifyList(part, list(until = table$times[[1]] - 1)))
    some
  })
  unlist(parts, recursive = FALSE, use.names = FALSE)
}

documents_of <- function(times, columns, mode, units) {
  head <- paste0("{\"docType\":\"jts\",\"version\":\"1.0\",\"header\":", header_json(columns, units), ",\"data\":[")
  cells <- lapply(columns, fields_of, mode = mode)
  # Records of each column by row; a row without any is none.
  filled <- vapply(cells, function(column) !is.na(column), logical(length(times)))
  filled <- matrix(filled, nrow = length(times), ncol = length(columns))
  kept <- rowSums(filled) > 0
  if (mode == "DELETE_RANGE") kept <- kept & seq_along(times) %in% c(1, length(times))
  rows <- row_texts(times, cells, filled)
  counts <- rowSums(filled)
  parts <- list()
  for (places in split_rows(rows, which(kept))) {
    texts <- rows[places]
    if (mode == "INSERT_DELETE_EXISTING" && length(parts)) {
      texts <- c(range_goes_on(times, filled, places[[1]]), texts)
    }
    parts[[length(parts) + 1]] <- part_of(head, texts, sum(counts[places]), times[[places[[length(places)]]]])
  }
  if (!length(parts)) parts <- list(part_of(head, character(), 0, if (length(times)) times[[1]] else 0))
  parts
}

part_of <- function(head, texts, records, until) {
  list(body = charToRaw(enc2utf8(paste0(head, paste(texts, collapse = ",\n"), "]}"))), records = records, until = until)
}

# A label with @ is a node, any other the series of a source.
header_json <- function(columns, units) {
  described <- lapply(columns, function(column) {
    entry <- list(dataType = column$data_type)
    if (nzchar(column$id)) entry$id <- column$id
    else entry[c("series", "name")] <- column$label
    if (column$label %in% names(units)) entry$units <- units[[column$label]]
    entry
  })
  names(described) <- seq_along(described) - 1
  json_of(list(columns = described))
}

# Records as fields of a document, NA where there is none. A missing value with a quality is a gap.
fields_of <- function(column, mode) {
  if (mode %in% c("DELETE", "DELETE_RANGE")) return(rep("null", length(column$quality)))
  values <- value_texts(column$values, column$data_type)
  parts <- cbind(
    ifelse(is.na(values), "", paste0("\"v\":", values)),
    ifelse(is.na(column$quality), "", sprintf("\"q\":%d", column$quality)),
    ifelse(is.na(column$annotation), "", paste0("\"a\":", json_texts(column$annotation)))
  )
  parts <- matrix(parts, ncol = 3)
  comma <- function(left, right) paste0(left, ifelse(nzchar(left) & nzchar(right), ",", ""), right)
  inner <- comma(comma(parts[, 1], parts[, 2]), parts[, 3])
  ifelse(nzchar(inner), paste0("{", inner, "}"), NA_character_)
}

value_texts <- function(values, data_type) {
  switch(data_type,
    # 17 digits are what a double is; fewer may be another one.
    NUMBER = ifelse(is.na(values), NA_character_, sprintf("%.17g", values)),
    TEXT = ifelse(is.na(values), NA_character_, json_texts(values)),
    TIME = ifelse(is.na(values), NA_character_, sprintf("{\"$time\":\"%s\"}", iso(values))),
    COORDINATES = vapply(values, function(one) {
      if (is.null(one)) NA_character_ else sprintf("{\"$coords\":[%.17g,%.17g]}", one[[1]], one[[2]])
    }, "")
  )
}

# Texts as JSON has them.
json_texts <- function(texts) {
  escaped <- gsub("\"", "\\\"", gsub("\\", "\\\\", texts, fixed = TRUE), fixed = TRUE)
  if (any(grepl("[\001-\037]", escaped))) {
    for (code in 1:31) escaped <- gsub(intToUtf8(code), sprintf("\\u%04x", code), escaped, fixed = TRUE)
  }
  paste0("\"", escaped, "\"")
}

row_texts <- function(times, cells, filled) {
  inner <- rep("", length(times))
  for (place in seq_along(cells)) {
    has <- filled[, place]
    separator <- ifelse(nzchar(inner[has]), ",", "")
    inner[has] <- paste0(inner[has], separator, "\"", place - 1, "\":", cells[[place]][has])
  }
  sprintf("{\"ts\":%.0f,\"f\":{%s}}", times, inner)
}

# Places of rows in groups within the limits.
split_rows <- function(rows, places) {
  sizes <- cumsum(nchar(rows[places], "bytes") + 2)
  groups <- list()
  first <- 1
  while (first <= length(places)) {
    before <- if (first == 1) 0 else sizes[[first - 1]]
    last <- min(first + the$rows_max - 1, length(places), findInterval(before + BYTES_MAX, sizes))
    last <- max(last, first)
    groups[[length(groups) + 1]] <- places[first:last]
    first <- last + 1
  }
  groups
}

# A range that is replaced reaches over all parts: markers behind the last record of each column, so that what is stored between
# two parts goes too.
range_goes_on <- function(times, filled, first) {
  markers <- list()
  for (place in seq_len(ncol(filled))) {
    before <- which(filled[seq_len(first - 1), place])
    if (!length(before)) next
    at <- times[[max(before)]] + 1
    if (at < times[[first]]) markers[[sprintf("%.0f", at)]][[as.character(place - 1)]] <- "null"
  }
  at <- as.numeric(names(markers))
  vapply(order(at), function(n) {
    fields <- unlist(markers[[n]])
    sprintf("{\"ts\":%.0f,\"f\":{%s}}", at[[n]], paste0("\"", names(fields), "\":", fields, collapse = ","))
  }, "")
}
