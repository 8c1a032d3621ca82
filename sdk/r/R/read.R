# Entries of `params`, and what of the 4096 bytes of a query string may be theirs.
PARAMS_MAX <- 100
PARAMS_MAX_BYTES <- 3000

read <- function(con, nodes, start = NULL, end = NULL, ..., aggregate = NULL, interval = NULL, base_time = NULL,
                 tz = NULL, limit = NULL, flags = TRUE) {
  check_connection(con)
  asked <- reading_of(nodes, start, end, aggregate, interval, base_time, tz, limit, list(...))
  tables <- lapply(parts_of_params(asked$nodes), function(nodes) read_range(con, asked, nodes))
  tibble_of(beside(tables), asked, flags)
}

# The references by their labels, in order.
labelled <- function(nodes) {
  if (!is.character(nodes) || length(nodes) == 0) refuse("nodes", "must name at least one parameter or Location")
  wrong <- nodes[is.na(nodes) | !nzchar(nodes) | grepl("[,();\\\\]", nodes)]
  if (length(wrong)) refuse("nodes", sprintf("'%s' is no _id and no @customId", wrong[[1]]))
  labels <- names(nodes)
  if (is.null(labels)) labels <- rep("", length(nodes))
  labels <- ifelse(nzchar(labels), labels, nodes)
  twice <- labels[duplicated(labels)]
  if (length(twice)) refuse("nodes", sprintf("%s comes twice: give names, such as c(mean = \"@a\", high = \"@a\")", twice[[1]]))
  if ("time" %in% labels) refuse("nodes", "'time' is the column of times: give another name")
  stats::setNames(as.character(nodes), labels)
}

reading_of <- function(nodes, start, end, aggregate, interval, base_time, tz, limit, others) {
  nodes <- labelled(nodes)
  zone <- zone_of(tz)
  bounds <- list(
    start = if (!is.null(start)) instant("start", start, zone),
    end = if (!is.null(end)) instant("end", end, zone)
  )
  for (name in c("start", "end")) {
    if (is.null(limit) && is.null(bounds[[name]])) {
      refuse(name, "must be given, such as \"2024-01\" or \"yesterday\", where there is no limit")
    }
  }
  if (!is.null(bounds$start) && !is.null(bounds$end) && bounds$start > bounds$end) {
    refuse("start", sprintf("must not be after end: %s, %s", iso(bounds$start), iso(bounds$end)))
  }
  if (length(others) && (is.null(names(others)) || !all(nzchar(names(others))))) {
    refuse("...", "must be arguments of the API by their names, such as qualityExcluded = \"BAD\"")
  }
  word <- if (is.null(aggregate)) "NONE" else toupper(aggregate)
  has_intervals <- !word %in% c("NONE", "CHANGE")
  if (has_intervals && is.null(interval)) refuse("interval", "must be given with an aggregate, such as \"1D\"")
  if (!is.null(interval) && is.null(base_time)) base_time <- base_of(interval)
  query <- arguments(
    timezone = tz, timezoneAdjustForDst = if (!is.null(tz)) TRUE, limit = limit, aggregate = aggregate,
    interval = interval, baseTime = base_time
  )
  query <- c(query, do.call(arguments, others))
  check_others(names(others))
  # Full resolution, not what the node's format shows.
  if (is.null(query$renderFormat)) query$renderFormat <- ""
  list(
    nodes = nodes, start = bounds$start, end = bounds$end, tz = tz, query = query,
    grid = if (has_intervals) list(base = base_time, interval = interval, zone = zone),
    is_thinned = !is.null(query$maxPoints) || !is.null(query$reduce),
    can_cut = !word %in% UNCUTTABLE && is.null(limit) && is.null(query$baselineType)
  )
}

# Arguments of the API that read() sets itself: they say what an answer looks like.
SET_BY_READ <- c(
  "params", "format", "layout", "startTime", "endTime", "timeQuery", "after", "timeFormat", "header", "quality", "annotation",
  "qualityDelimiter", "annotationDelimiter", "delimiter", "decimalSeparator", "byteOrderMark", "formulaGuard", "textQualifier",
  "timezone", "timezoneAdjustForDst", "baseTime", "aggregate", "interval", "limit"
)

# An argument that is misspelt would change nothing, unsaid: the server passes over those that it does not know.
check_others <- function(names) {
  set_here <- intersect(names, SET_BY_READ)
  if (length(set_here)) refuse(set_here[[1]], "is set by read() itself")
  takes <- setdiff(OPERATIONS$readManyHistoric$query, SET_BY_READ)
  unknown <- setdiff(names, takes)
  if (length(unknown)) refuse(unknown[[1]], sprintf("is no argument of read(); beside its own it takes %s", paste(sort(takes), collapse = ", ")))
}

# Returns where intervals begin unless something else is asked for: with the day, week, month or year.
base_of <- function(interval) {
  parts <- interval_of(interval)
  units <- vapply(parts, `[[`, "", "unit")
  if ("Y" %in% units) return("Y")
  if ("MO" %in% units) return(if (length(parts) == 1 && parts[[1]]$count == 1) "MO" else "Y")
  if ("W" %in% units) "W" else "D"
}

# Puts as many columns together as fit into one request.
parts_of_params <- function(nodes) {
  parts <- list()
  size <- Inf
  for (place in seq_along(nodes)) {
    length <- nchar(nodes[[place]], "bytes") * 3 + 3
    if (size + length > PARAMS_MAX_BYTES || length(parts[[length(parts)]]) == PARAMS_MAX) {
      parts <- c(parts, list(nodes[0]))
      size <- 0
    }
    parts[[length(parts)]] <- c(parts[[length(parts)]], nodes[place])
    size <- size + length
  }
  parts
}

read_range <- function(con, asked, nodes) {
  described <- describe(con, asked, nodes)
  if (is.null(asked$start) || is.null(asked$end)) return(read_window(con, asked, nodes, described, asked$start, asked$end))
  whole <- if (is.null(described)) empty_table(names(nodes)) else list(times = numeric(), columns = lapply(described, emptied))
  left <- if (asked$start < asked$end) list(c(asked$start, asked$end)) else list()
  too_wide <- Inf
  while (length(left)) {
    window <- left[[1]]
    left <- left[-1]
    cut <- NULL
    if (diff(window) < too_wide) {
      part <- tryCatch(
        read_window(con, asked, nodes, described, window[[1]], window[[2]]),
        catchment_too_large = function(error) {
          cut <<- if (asked$can_cut) halves(window, asked$grid)
          if (is.null(cut)) stop(error)
          too_wide <<- min(too_wide, diff(window))
          NULL
        }
      )
      if (!is.null(part)) {
        whole <- appended(whole, picked(part, which(part$times < window[[2]])))
        next
      }
    } else {
      cut <- halves(window, asked$grid)
      # A range that cannot be split any more is asked for as it is.
      if (is.null(cut)) too_wide <- Inf
    }
    left <- c(if (is.null(cut)) list(window) else cut, left)
  }
  whole
}

# Describes the columns by a row in JSON, which alone has types and units. NULL where a limit is not allowed.
describe <- function(con, asked, nodes) {
  if (asked$is_thinned) return(NULL)
  query <- asked$query
  query$limit <- "1"
  end <- if (is.null(asked$start)) asked$end
  read_document(con, c(query, window_query(asked, asked$start, end)), nodes)$columns
}

# Rows from `start` to before `end`. The API's end is included, but for intervals, which end there.
window_query <- function(asked, start, end) {
  arguments(
    startTime = if (!is.null(start)) iso(start),
    endTime = if (!is.null(end)) iso(if (is.null(asked$grid)) end - 1 else end)
  )
}

# Numbers come as CSV, which readr reads many times faster than JSON is read. A text that is empty and one that is missing are
# one in CSV, so texts come as JSON.
read_window <- function(con, asked, nodes, described, start, end) {
  query <- c(asked$query, window_query(asked, start, end))
  is_csv <- !is.null(described) && all(vapply(described, `[[`, "", "data_type") == "NUMBER")
  if (!is_csv) return(read_document(con, query, nodes))
  csv <- list(format = "CSV", header = "FALSE", timeFormat = "x", quality = "SEPARATE_VALUE", annotation = "SEPARATE_VALUE")
  query[names(csv)] <- csv
  whole(con, query, nodes, function(answer) table_of_csv(answer, described))
}

read_document <- function(con, query, nodes) {
  whole(con, query, nodes, function(answer) table_of_document(answer, names(nodes)))
}

# A connection may end between two pieces of an answer: nothing of it is kept, and it is asked for again.
whole <- function(con, query, nodes, parse) {
  query$params <- paste(nodes, collapse = ",")
  for (attempt in seq_len(con$tries)) {
    answer <- exchange(con, request_of("GET", "/api/v1/historic", query))
    found <- tryCatch(parse(answer), catchment_cut_stream_error = function(error) error)
    if (!inherits(found, "condition")) return(found)
  }
  stop(found)
}
