# The server's answers become columns of vectors.

# A table is list(times = milliseconds, columns = list(list(label, id, name, units, data_type, aggregate, values, quality, annotation))).
# Values: numbers, texts, milliseconds of times, pairs (latitude, longitude) in a list; NA (NULL in a list) where there is none.

MISSING <- list(NUMBER = NA_real_, TEXT = NA_character_, TIME = NA_real_)

blank <- function(data_type, size) {
  if (data_type == "COORDINATES") vector("list", size) else rep(MISSING[[data_type]], size)
}

column_of <- function(label, described = list()) {
  text <- function(value, otherwise) if (is_text(value)) value else otherwise
  type <- if (identical(described$renderType, "STATE")) "TEXT" else text(described$dataType, "NUMBER")
  list(
    label = label, id = text(described$id, ""), name = text(described$name, ""), units = text(described$units, ""),
    data_type = type, aggregate = text(described$aggregate, "NONE"),
    values = blank(type, 0), quality = integer(), annotation = character()
  )
}

emptied <- function(column) {
  column[PARTS] <- list(blank(column$data_type, 0), integer(), character())
  column
}

empty_table <- function(labels) list(times = numeric(), columns = lapply(labels, column_of))

# Reads a document of JTS. `next_page` says where changes go on.
table_of_document <- function(answer, labels) {
  text <- rawToChar(answer$body)
  Encoding(text) <- "UTF-8"
  document <- tryCatch(jsonlite::fromJSON(text, simplifyMatrix = FALSE), error = function(e) NULL)
  if (is.null(document$header)) stop(cut_stream("the answer was cut off: its document has no end"))
  rows <- document$data
  size <- if (is.data.frame(rows)) nrow(rows) else 0
  columns <- lapply(seq_along(labels), function(place) {
    key <- as.character(place - 1)
    column <- column_of(labels[[place]], document$header$columns[[key]])
    cells <- if (size) rows$f[[key]]
    column$values <- values_of_cells(cells, column$data_type, size)
    column$quality <- if (is.null(cells[["q"]])) rep(NA_integer_, size) else as.integer(cells[["q"]])
    column$annotation <- if (is.null(cells[["a"]])) rep(NA_character_, size) else as.character(cells[["a"]])
    column
  })
  times <- if (size) ms_of_iso(rows$ts) else numeric()
  list(times = times, columns = columns, next_page = document$header[["next"]])
}

values_of_cells <- function(cells, data_type, size) {
  values <- cells[["v"]]
  if (is.null(values)) return(blank(data_type, size))
  switch(data_type,
    NUMBER = as.double(values),
    TEXT = as.character(values),
    TIME = ms_of_iso(values[["$time"]]),
    COORDINATES = lapply(values[["$coords"]], function(one) if (length(one) == 2 && !anyNA(one)) as.double(one)),
    as.character(values)
  )
}

# A table of CSV of numbers without a header: time, then value, quality and annotation of each column.
table_of_csv <- function(answer, columns) {
  width <- 1 + 3 * length(columns)
  size <- length(answer$body)
  if (size == 0) return(list(times = numeric(), columns = lapply(columns, emptied)))
  if (answer$body[[size]] != as.raw(10)) stop(cut_stream("the answer was cut off within a record"))
  cells <- readr::read_csv(
    answer$body,
    col_names = sprintf("c%d", seq_len(width)), col_types = strrep("c", width), na = "", quote = "\"", comment = "",
    trim_ws = FALSE, skip_empty_rows = FALSE, progress = FALSE, num_threads = 1, lazy = FALSE
  )
  if (ncol(cells) != width || nrow(readr::problems(cells)) > 0) stop(cut_stream("the answer was cut off within a record"))
  columns <- lapply(seq_along(columns), function(place) {
    column <- columns[[place]]
    column$values <- numbers_of(cells[[3 * place - 1]])
    column$quality <- as.integer(cells[[3 * place]])
    column$annotation <- cells[[3 * place + 1]]
    column
  })
  list(times = as.double(cells[[1]]), columns = columns)
}

# Numbers as they were printed. Those of readr differ in the last digits, those of as.double() in the last one at times.
numbers_of <- function(texts) {
  texts[is.na(texts)] <- "null"
  as.double(jsonlite::fromJSON(paste0("[", paste(texts, collapse = ","), "]")))
}

PARTS <- c("values", "quality", "annotation")

# Rows of `part` behind those of `whole`.
appended <- function(whole, part) {
  if (length(whole$times) == 0) return(part)
  columns <- Map(function(one, more) {
    more[PARTS] <- lapply(PARTS, function(name) c(one[[name]], more[[name]]))
    more
  }, whole$columns, part$columns)
  list(times = c(whole$times, part$times), columns = columns)
}

picked <- function(table, places) {
  columns <- lapply(table$columns, function(column) {
    column[PARTS] <- lapply(PARTS, function(name) column[[name]][places])
    column
  })
  list(times = table$times[places], columns = columns)
}

# Tables of other columns, joined on equal times.
beside <- function(tables) {
  if (length(tables) == 1) return(tables[[1]])
  times <- sort(unique(unlist(lapply(tables, `[[`, "times"))))
  columns <- lapply(tables, function(table) picked(table, match(times, table$times))$columns)
  list(times = times, columns = unlist(columns, recursive = FALSE))
}
