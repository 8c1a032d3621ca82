# The rules of calling: what is tried again, after how long, and what is reported when that does not help. The only file
# that knows httr2.

# A server answers a read within 60 s, or says that it was too slow.
TIMEOUT_SECONDS <- 90
CONNECT_SECONDS <- 10
PASSING <- c(429, 502, 503, 504)

request_of <- function(method, path, query = list(), headers = list(), body = NULL, parts = NULL) {
  list(method = method, path = path, query = query, headers = headers, body = body, parts = parts)
}

# Returns whether sending it twice does what sending it once does.
may_repeat <- function(request) request$method != "POST" || !is.null(request$headers[["Idempotency-Key"]])

# A request until it is answered. Signals what the last try signalled.
exchange <- function(con, request) {
  attempt <- 0
  repeat {
    attempt <- attempt + 1
    answer <- send(con, request)
    if (inherits(answer, "catchment_transport_error")) {
      if (attempt >= con$tries || !(may_repeat(request) || !answer$was_sent)) stop(answer)
      the$sleep(backoff(attempt))
      next
    }
    # Catchment has no pages below /api: those are of a proxy, or of another program.
    is_page <- startsWith(media_type(answer), "text/html")
    if (answer$status >= 200 && answer$status < 300 && !is_page) return(answer)
    the$sleep(wait_of(con, request, answer, attempt))
  }
}

# One try: an answer, or the error why none came.
send <- function(con, request) {
  asked <- httr2::request(paste0(con$url, request$path))
  asked <- httr2::req_method(asked, request$method)
  asked <- httr2::req_url_query(asked, !!!request$query)
  asked <- httr2::req_headers(asked, !!!request$headers)
  asked <- httr2::req_user_agent(asked, user_agent())
  asked <- httr2::req_timeout(asked, TIMEOUT_SECONDS)
  # A redirect must not carry the key to another place.
  asked <- httr2::req_options(asked, connecttimeout = CONNECT_SECONDS, followlocation = FALSE)
  asked <- httr2::req_error(asked, is_error = function(answer) FALSE)
  # exchange() decides what is tried again.
  asked <- httr2::req_retry(asked, max_tries = 1, is_transient = function(answer) FALSE, backoff = function(tries) 0)
  if (!is.null(request$parts)) asked <- httr2::req_body_multipart(asked, !!!request$parts)
  else if (!is.null(request$body)) asked <- httr2::req_body_raw(asked, request$body)
  asked <- with_key(asked, con)
  tryCatch(
    {
      # Options by which a user sees requests must not show the key.
      answer <- httr2::req_perform(asked, verbosity = 0)
      list(status = answer$status_code, headers = lower_names(answer$headers), body = body_of(answer))
    },
    error = function(failure) transport_failure(failure, request$method)
  )
}

# httr2 keeps the last request, for last_request(). A new httr2 prints no header that is said to be secret; an old one
# prints no option of several values.
with_key <- function(asked, con) {
  key <- the$keys[[con$id]]
  if (".redact" %in% names(formals(httr2::req_headers))) {
    return(httr2::req_headers(asked, "X-Api-Key" = key, .redact = "X-Api-Key"))
  }
  headers <- c(unlist(asked$headers), "X-Api-Key" = key, "Accept" = "*/*")
  httr2::req_options(asked, httpheader = paste0(names(headers), ": ", headers))
}

user_agent <- function() paste0("catchment-client-r/", utils::packageVersion("catchment"))

lower_names <- function(headers) {
  found <- unclass(as.list(headers))
  names(found) <- tolower(names(found))
  found
}

body_of <- function(answer) if (is.raw(answer$body)) answer$body else raw()

# Failures of curl as ours, by their texts: old releases of it have no classes. Facts of the request are left behind.
transport_failure <- function(failure, method = "GET") {
  cause <- if (inherits(failure$parent, "condition")) failure$parent else failure
  message <- conditionMessage(cause)
  if (grepl("resolve|failed to connect|couldn't connect|connection refused|connection timed out|connection timeout", message, ignore.case = TRUE)) {
    return(transport_error(paste0("the server cannot be reached: ", message), was_sent = FALSE))
  }
  if (grepl("timeout|timed out|too slow", message, ignore.case = TRUE)) {
    return(transport_error("the server did not answer in time: ask for less at once, or look at the network"))
  }
  if (grepl("SSL|TLS|certificate|protocol .*not supported|malformed|bad/illegal format", message)) {
    return(transport_error(paste0("the request could not be sent: ", message), was_sent = FALSE))
  }
  cut_stream(paste0("the answer was cut off: ", message))
}

# Grows with the attempts, from 1; the half of it is by chance, so that clients that fail together do not come back together.
backoff <- function(attempt) min(30, 0.5 * 2^attempt) * (0.5 + 0.5 * the$random())

# Returns what a server asked for, and a little more.
wait_asked <- function(asked) asked + min(2, 0.25 + 0.1 * asked) * the$random()

# Seconds to wait after a refusal; signals it where waiting does not help.
wait_of <- function(con, request, answer, attempt) {
  asked <- retry_after_of(answer$headers)
  error <- error_of(answer, asked)
  # A gateway that lost its server does not know whether that has done the work; 429 and 503 of Catchment itself say
  # that it has not.
  is_ours <- inherits(error, "catchment_api_error") && answer$status %in% c(429, 503)
  if (!(answer$status %in% PASSING) || !(may_repeat(request) || is_ours) || attempt >= con$tries) stop(error)
  if (!is.null(asked) && asked > con$max_wait) stop(error)
  if (is.null(asked)) backoff(attempt) else wait_asked(asked)
}

# Seconds that Retry-After asks for, as a number or as a date. A date counts from the server's own Date, so that clocks
# which differ do no harm.
retry_after_of <- function(headers) {
  text <- headers[["retry-after"]]
  if (is.null(text)) return(NULL)
  if (grepl("^\\s*\\d+\\s*$", text)) return(as.numeric(text))
  date <- date_of(text)
  if (is.na(date)) return(NULL)
  server_now <- date_of(headers[["date"]])
  max(0, date - (if (is.na(server_now)) the$now() else server_now))
}

# Without names of months as this machine's language has them.
date_of <- function(text) {
  if (is.null(text)) return(NA_real_)
  found <- regmatches(text, regexec("(\\d{1,2}) ([A-Za-z]{3}) (\\d{4}) (\\d{2}:\\d{2}:\\d{2}) GMT", text))[[1]]
  if (!length(found)) return(NA_real_)
  month <- match(found[[3]], month.abb)
  if (is.na(month)) return(NA_real_)
  as.numeric(as.POSIXct(sprintf("%s-%02d-%s %s", found[[4]], month, found[[2]], found[[5]]), tz = "UTC", format = "%Y-%m-%d %H:%M:%S"))
}

parsed_json <- function(answer) {
  text <- rawToChar(answer$body)
  Encoding(text) <- "UTF-8"
  if (!nzchar(text)) return(NULL)
  tryCatch(
    jsonlite::fromJSON(text, simplifyVector = FALSE),
    error = function(e) stop(cut_stream("the answer was cut off: its document has no end"))
  )
}

json_of <- function(value) as.character(jsonlite::toJSON(value, auto_unbox = TRUE, null = "null", digits = NA))

# A part of a path; `@` before a customId stays.
quoted <- function(id) gsub("%40", "@", curl::curl_escape(enc2utf8(id)), fixed = TRUE)

# Arguments as a query has them; those that are NULL are left out.
arguments <- function(...) {
  given <- Filter(Negate(is.null), list(...))
  lapply(given, function(value) {
    if (is.logical(value)) toupper(as.character(value))
    else paste(if (is.numeric(value)) format_number(value) else as.character(value), collapse = ",")
  })
}

# 1e5 as 100000: pages and limits are whole numbers.
format_number <- function(value) {
  ifelse(value == round(value) & abs(value) < 1e15, sprintf("%.0f", value), sprintf("%.15g", value))
}
