# A document has so many rows; the server inflates up to 5 MiB.
the$rows_max <- 50000
COLUMNS_MAX <- 100
BYTES_MAX <- 4500000
# The server waits so long before it answers that a write is not readable yet, and is asked so often.
READABLE_WAIT_SECONDS <- 10
READABLE_ASKS <- 12
# Below it packing costs more than it saves.
GZIP_FROM_BYTES <- 1024

MODES <- c(
  "MERGE_OVERWRITE_EXISTING", "MERGE_PRESERVE_EXISTING", "MERGE_UPDATE_EXISTING", "MERGE_FAIL_ON_EXISTING",
  "INSERT_DELETE_EXISTING", "INSERT_FAIL_ON_EXISTING", "DELETE_RANGE", "DELETE", "DISCARD"
)

write <- function(con, node, frame, mode = "MERGE_OVERWRITE_EXISTING", wait = c("durable", "readable"), tz = NULL,
                  notify_on = NULL, units = NULL) {
  check_connection(con)
  wait <- one_of("wait", wait[[1]], c("durable", "readable"))
  mode <- one_of("mode", toupper(mode), MODES)
  table <- table_of_frame(frame, tz)
  table$columns <- meant_columns(con, node, table$columns)
  check_units(units, table$columns)
  all_or_nothing <- grepl("FAIL_ON", mode, fixed = TRUE)
  parts <- documents(table, mode, units)
  if (length(parts) > 1 && all_or_nothing) {
    refuse("mode", sprintf(
      "%s writes all or nothing, and this takes %d requests: write less at once, or merge", mode, length(parts)
    ))
  }
  path <- if (is.null(node)) "/api/v1/historic" else paste0("/api/v1/nodes/", quoted(node), "/historic")
  query <- arguments(writeMode = mode, notifyOn = notify_on)
  answers <- send_parts(con, path, query, parts, all_or_nothing)
  positions <- unlist(lapply(answers, function(answer) parsed_json(answer)$write))
  records <- sum(vapply(parts, `[[`, 0, "records"))
  if (wait == "readable" && records > 0) wait_until_readable(con, positions, sum(vapply(parts, `[[`, 0, "records") > 0))
  invisible(list(records = records, parts = length(parts), positions = as.character(positions)))
}

one_of <- function(argument, value, known) {
  if (!is_text(value) || !value %in% known) {
    refuse(argument, sprintf("'%s' is none of %s", paste(format(value), collapse = " "), paste(known, collapse = ", ")))
  }
  value
}

# A source finds its parameters by the names of columns. One series takes one column, and would leave out others unsaid.
meant_columns <- function(con, node, columns) {
  labels <- vapply(columns, `[[`, "", "label")
  is_reference <- grepl("^(@.+|[0-9a-fA-F]{24})$", labels)
  columns[is_reference] <- lapply(columns[is_reference], function(column) {
    column$id <- column$label
    column
  })
  if (is.null(node)) {
    if (!all(is_reference)) {
      refuse("node", sprintf("must be given, or every column be an _id or @customId; '%s' is none", labels[!is_reference][[1]]))
    }
    return(columns)
  }
  if (!is_text(node)) refuse("node", "must be an _id or @customId, or NULL")
  if (length(columns) == 1 && columns[[1]]$id %in% c("", node)) return(columns)
  found <- parsed_json(exchange(con, request_of("GET", paste0("/api/v1/nodes/", quoted(node)), list(attr = "_class"))))
  if (grepl(".source.", found[["_class"]], fixed = TRUE)) return(columns)
  if (length(columns) > 1) {
    refuse("frame", sprintf("has several columns, but %s is one series: give one, or the source's node", node))
  }
  # Read from another node perhaps; meant for this one.
  columns[[1]]$id <- ""
  columns
}

check_units <- function(units, columns) {
  if (is.null(units)) return(invisible())
  if (!is.character(units) || is.null(names(units))) refuse("units", "must be texts by the names of columns: c(level = \"m\")")
  unknown <- setdiff(names(units), vapply(columns, `[[`, "", "label"))
  if (length(unknown)) {
    refuse("units", paste("names columns that the frame does not have:", paste(sort(unknown), collapse = ", ")))
  }
}

# All parts, one after the other. Where one fails after others are stored, the error says up to where.
send_parts <- function(con, path, query, parts, all_or_nothing) {
  answers <- list()
  for (part in parts) {
    answers[[length(answers) + 1]] <- tryCatch(
      exchange(con, request_of("PUT", path, query, body_headers(part, all_or_nothing), packed(part$body))),
      catchment_error = function(error) {
        done <- length(answers)
        if (done == 0) stop(error)
        records <- sum(vapply(parts[seq_len(done)], `[[`, 0, "records"))
        until <- iso(parts[[done]]$until)
        stop(condition_of(
          "catchment_partial_write", sprintf(
            "%d of %d parts are stored, %.0f records, all columns up to %s; the next one failed: %s. Write again what follows",
            done, length(parts), records, until, conditionMessage(error)
          ),
          parts = done, records = records, until = until, parent = error
        ))
      }
    )
  }
  answers
}

body_headers <- function(part, all_or_nothing) {
  c(
    list("Content-Type" = "application/json"),
    if (length(part$body) >= GZIP_FROM_BYTES) list("Content-Encoding" = "gzip"),
    # The second try of a write that fails on what exists would fail on what the first one wrote.
    if (all_or_nothing) list("Idempotency-Key" = random_id())
  )
}

packed <- function(bytes) {
  if (length(bytes) < GZIP_FROM_BYTES) return(bytes)
  # memCompress() makes no gzip, only what is within it.
  file <- tempfile()
  on.exit(unlink(file))
  out <- gzfile(file, "wb", compression = 6)
  tryCatch(writeBin(bytes, out), finally = close(out))
  readBin(file, "raw", file.size(file))
}

# Until reads have what was written: the server answers when they do, or after a while.
wait_until_readable <- function(con, positions, expected) {
  if (length(positions) < expected) {
    stop(condition_of(
      "catchment_unsupported",
      "wait: this server does not report when a write can be read; all of it is stored. Use wait = \"durable\""
    ))
  }
  for (position in positions) {
    path <- paste0("/api/v1/writes/", curl::curl_escape(position))
    is_readable <- FALSE
    for (ask in seq_len(READABLE_ASKS)) {
      state <- parsed_json(exchange(con, request_of("GET", path, arguments(wait = READABLE_WAIT_SECONDS))))
      is_readable <- isTRUE(state$readable)
      if (is_readable) break
      if (!isTRUE(state$durable)) {
        stop(condition_of(character(), "wait: the server has lost the write, as after a restore from a backup: write it again"))
      }
    }
    if (!is_readable) {
      stop(condition_of(
        character(), "wait: the write is stored, but reads do not have it after two minutes: look at the server"
      ))
    }
  }
}
