# Rows of one page of changes, and nodes of one request.
PAGE_ROWS <- 10000
PAGE_NODES <- 60
# Nodes and events of one page of a list.
PAGE <- 5000

changes <- function(con, nodes = NULL, since = NULL, after = NULL, tz = NULL, limit = 1e6) {
  check_connection(con)
  if (is.null(after) && is.null(since)) refuse("since", "must be given, such as \"yesterday\", or after")
  checked_limit(limit)
  # Before anything is sent: R looks at arguments when they are used.
  since <- if (is.null(after)) instant("since", since, zone_of(tz))
  parts <- if (is.null(after)) parts_of_nodes(con, nodes, since) else parts_of_place(after)
  found <- list()
  rows <- 0
  for (place in seq_along(parts)) {
    repeat {
      if (rows >= limit) break
      page <- page_of_changes(con, parts[[place]])
      changed <- change_rows(page)
      found[[length(found) + 1]] <- changed
      rows <- rows + nrow(changed)
      if (is.null(page$next_page)) break
      parts[[place]]$after <- page$next_page
    }
  }
  frame <- if (length(found)) do.call(rbind, found) else change_rows(empty_table(character()))
  attr(frame, "place") <- json_of(parts)
  frame
}

checked_limit <- function(limit) {
  if (!is.numeric(limit) || length(limit) != 1 || is.na(limit) || limit < 1) refuse("limit", "must be 1 or more")
}

parts_of_nodes <- function(con, nodes, since) {
  if (is.null(nodes)) {
    found <- pages(con, "/api/v1/nodes", list(attr = "_id", filter = "_class($match:.point.)"))
    nodes <- vapply(found, `[[`, "", "_id")
    if (!length(nodes)) return(list())
  }
  nodes <- unname(labelled(nodes))
  groups <- split(nodes, (seq_along(nodes) - 1) %/% PAGE_NODES)
  lapply(unname(groups), function(one) list(nodes = as.list(one), since = since))
}

parts_of_place <- function(after) {
  parts <- tryCatch(jsonlite::fromJSON(after, simplifyVector = FALSE), error = function(e) NULL)
  is_part <- function(one) is.list(one) && length(one$nodes) > 0 && is.numeric(one$since)
  if (!is_text(after) || !is.list(parts) || !all(vapply(parts, is_part, NA))) {
    refuse("after", "must be attr(x, \"place\") of an earlier call of changes()")
  }
  parts
}

page_of_changes <- function(con, part) {
  query <- arguments(
    timeQuery = "MODIFIED", limit = PAGE_ROWS, startTime = iso(part$since), after = part$after
  )
  query$renderFormat <- ""
  nodes <- unlist(part$nodes)
  read_document(con, query, stats::setNames(nodes, nodes))
}

# A row for each record of a page, in order of time.
change_rows <- function(table) {
  found <- lapply(table$columns, function(column) {
    values <- column$values
    pairs <- vapply(values, function(one) paste(format(one, digits = 15, trim = TRUE), collapse = "/"), "")
    is_number <- column$data_type == "NUMBER"
    text <- switch(column$data_type,
      NUMBER = rep(NA_character_, length(values)), TEXT = values,
      TIME = ifelse(is.na(values), NA_character_, iso(values)), ifelse(lengths(values) == 0, NA_character_, pairs)
    )
    number <- if (is_number) values else rep(NA_real_, length(values))
    is_record <- !is.na(number) | !is.na(text) | !is.na(column$quality) | !is.na(column$annotation)
    data.frame(
      node = rep(column$label, sum(is_record)), time = of_ms(table$times[is_record]), value = number[is_record],
      text = text[is_record], quality = column$quality[is_record], annotation = column$annotation[is_record]
    )
  })
  none <- data.frame(
    node = character(), time = of_ms(numeric()), value = numeric(), text = character(), quality = integer(), annotation = character()
  )
  frame <- do.call(rbind, c(list(none), found))
  tibble::as_tibble(frame[order(frame$time), ])
}

# The items of a list, page by page, up to `limit`.
pages <- function(con, path, query, limit = Inf) {
  found <- list()
  repeat {
    size <- min(PAGE, limit - length(found))
    more <- parsed_json(exchange(con, request_of("GET", path, c(query, arguments(skip = length(found), limit = size)))))
    found <- c(found, more)
    if (length(more) < size || length(found) >= limit) return(found)
  }
}
