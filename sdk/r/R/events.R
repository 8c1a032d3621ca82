EVENT_TYPES <- c("ACQUISITION", "CONFIGURATION", "STATE", "NOTIFICATION", "CONTROL", "SECURITY")
EVENT_COLUMNS <- c("eventTime", "level", "eventType", "alarmState", "nodeId", "message", "username")
# A stream that is silent has a heartbeat each 15 s.
STREAM_SILENCE_SECONDS <- 50
# The body of an error is shorter; more is another server's page.
ERROR_MAX_BYTES <- 64 * 1024

events <- function(con, types = NULL, start = NULL, end = NULL, filter = NULL, tz = NULL, limit = 1e5, follow = NULL, after = NULL) {
  check_connection(con)
  filter <- filter_of(types, filter)
  if (!is.null(follow)) {
    if (!is.function(follow)) refuse("follow", "must be a function of one event")
    return(invisible(follow_events(con, filter, follow, after)))
  }
  if (!is.null(after)) refuse("after", "goes with follow")
  checked_limit(limit)
  zone <- zone_of(tz)
  # The API includes the end.
  query <- arguments(
    filter = filter,
    startTime = if (!is.null(start)) iso(instant("start", start, zone)),
    endTime = if (!is.null(end)) iso(instant("end", end, zone) - 1)
  )
  tibble_of_events(pages(con, "/api/v1/events", query, limit))
}

tibble_of_events <- function(found) {
  text <- function(name) vapply(found, function(one) if (is_text(one[[name]])) one[[name]] else NA_character_, "")
  columns <- stats::setNames(lapply(EVENT_COLUMNS, text), c("time", "level", "type", "alarm_state", "node", "message", "username"))
  columns$time <- of_ms(ms_of_iso(columns$time))
  tibble::as_tibble(columns)
}

# The filter of events of some types; ALARM are those that raise, acknowledge or clear one.
filter_of <- function(types, filter) {
  if (!is.null(filter) && !is_text(filter)) refuse("filter", "must be a text")
  if (is.null(types)) return(filter)
  types <- vapply(types, function(one) one_of("types", toupper(one), c("ALARM", EVENT_TYPES)), "")
  if (!length(types)) refuse("types", "must name at least one, or be left out for all")
  terms <- ifelse(types == "ALARM", "alarmState($ne:NONE)", sprintf("eventType($eq:%s)", types))
  if (!is.null(filter)) {
    if (grepl("|", filter, fixed = TRUE)) refuse("filter", "must be without | where types are given")
    # The alternatives of types bind less than what else is asked for.
    terms <- paste0(terms, ",", filter)
  }
  paste(terms, collapse = "|")
}

# Calls a function with each event until it answers FALSE. Events that are lost with a connection come by the next one.
# Answers the place behind the last event.
follow_events <- function(con, filter, follow, after) {
  if (!is.null(after) && !is_text(after)) refuse("after", "must be what an earlier call of events() answered")
  failures <- 0
  place <- after
  repeat {
    outcome <- read_stream(con, arguments(filter = filter), place, follow)
    if (!is.null(outcome$place)) place <- outcome$place
    if (outcome$is_done) return(place)
    failures <- if (outcome$is_alive) 1 else failures + 1
    error <- outcome$error
    asked <- if (inherits(error, "catchment_api_error")) error$retry_after
    is_passing <- is.null(error) || inherits(error, "catchment_transport_error") || isTRUE(error$status %in% PASSING)
    if (!is_passing || (!is.null(error) && failures >= con$tries) || (!is.null(asked) && asked > con$max_wait)) stop(error)
    # A server that stops says when it is there again.
    if (is.null(error) && !is.null(outcome$pause)) the$sleep(outcome$pause)
    else the$sleep(if (is.null(asked)) backoff(failures) else wait_asked(asked))
  }
}

# One connection, to its end: is_done (the caller wants no more), is_alive (something came), place, pause, error.
read_stream <- function(con, query, place, follow) {
  reader <- event_reader(follow, place)
  status <- NULL
  refused <- raw()
  take <- function(bytes) {
    if (is.null(status)) status <<- stream_status(handle)
    if (status$is_good) reader$feed(bytes)
    else if (length(refused) < ERROR_MAX_BYTES) refused <<- c(refused, bytes)
  }
  handle <- stream_handle(con, place)
  url <- paste0(con$url, "/api/v1/events/stream")
  if (length(query)) url <- paste0(url, "?", paste0(names(query), "=", vapply(query, curl::curl_escape, ""), collapse = "&"))
  error <- tryCatch(
    {
      the$fetch_stream(url, take, handle)
      NULL
    },
    catchment_stop = function(stopped) NULL,
    catchment_callback_error = function(failure) failure,
    error = function(failure) transport_failure(failure)
  )
  if (inherits(error, "catchment_callback_error")) stop(error$parent)
  if (is.null(error)) {
    if (is.null(status)) status <- stream_status(handle)
    if (!status$is_good) {
      answer <- list(status = status$status, headers = status$headers, body = refused)
      error <- error_of(answer, retry_after_of(status$headers))
    }
  }
  c(reader$outcome(), list(error = error))
}

stream_handle <- function(con, place) {
  handle <- curl::new_handle(
    connecttimeout = CONNECT_SECONDS, followlocation = FALSE, low_speed_limit = 1, low_speed_time = STREAM_SILENCE_SECONDS,
    useragent = user_agent()
  )
  headers <- c("X-Api-Key" = the$keys[[con$id]], "Accept" = "text/event-stream", "Last-Event-ID" = place)
  curl::handle_setheaders(handle, .list = as.list(headers))
  handle
}

stream_status <- function(handle) {
  data <- the$handle_data(handle)
  lines <- curl::parse_headers_list(data$headers)
  headers <- lower_names(lines)
  is_stream <- startsWith(media_type(list(headers = headers)), "text/event-stream")
  list(status = data$status_code, headers = headers, is_good = data$status_code == 200 && is_stream)
}

# Takes bytes of a stream, and calls a function with each event.
event_reader <- function(follow, place) {
  rest <- raw()
  is_done <- is_alive <- FALSE
  pause <- NULL
  block <- list(kind = "message", data = character(), id = NULL)

  dispatch <- function() {
    done <- block
    block <<- list(kind = "message", data = character(), id = NULL)
    if (done$kind == "end") return(invisible())
    if (!is.null(done$id)) place <<- done$id
    if (!length(done$data)) return(invisible())
    is_alive <<- TRUE
    pause <<- NULL
    event <- jsonlite::fromJSON(paste(done$data, collapse = "\n"), simplifyVector = FALSE)
    wanted <- tryCatch(
      follow(event),
      error = function(failure) stop(condition_of("catchment_callback_error", conditionMessage(failure), parent = failure))
    )
    if (identical(wanted, FALSE)) {
      is_done <<- TRUE
      stop(condition_of("catchment_stop", "stopped"))
    }
  }
  take <- function(line) {
    # A heartbeat: it has lived for a while.
    if (startsWith(line, ":")) is_alive <<- TRUE
    else if (!nzchar(line)) dispatch()
    else {
      name <- sub(":.*", "", line)
      value <- sub("^[^:]*: ?", "", line)
      if (name == "event") block$kind <<- value
      else if (name == "data") block$data <<- c(block$data, value)
      else if (name == "id") block$id <<- value
      else if (name == "retry" && grepl("^\\d+$", value)) pause <<- as.numeric(value) / 1000
    }
  }
  feed <- function(bytes) {
    bytes <- c(rest, bytes)
    ends <- which(bytes == as.raw(10))
    if (!length(ends)) {
      rest <<- bytes
      return(invisible())
    }
    last <- ends[[length(ends)]]
    rest <<- bytes[-seq_len(last)]
    text <- rawToChar(bytes[seq_len(last - 1)])
    Encoding(text) <- "UTF-8"
    for (line in strsplit(paste0(text, "\n"), "\n", fixed = TRUE)[[1]]) take(sub("\r$", "", line))
  }
  list(feed = feed, outcome = function() list(is_done = is_done, is_alive = is_alive, place = place, pause = pause))
}
