# A server that answers as a test says, and remembers what it was asked.

KEY <- "SecretKeySecretKeySecretKeySecretKey0123"
URL <- "https://catchment.test"
NOW <- 1700000000

answer <- function(status = 200, body = "{}", type = "application/json", headers = list()) {
  raw <- if (is.raw(body)) body else charToRaw(enc2utf8(body))
  httr2::response(status, URL, headers = c(list("Content-Type" = type), headers), body = raw)
}

json <- function(...) answer(body = json_of(list(...)))
page <- function(status = 200) answer(status, "<h1>Sign in</h1>", "text/html")
accepted <- function() answer(202, "{\"status\":{\"code\":202}}")

refusal <- function(status, message = "Too many requests", headers = list()) {
  body <- json_of(list(error = list(code = status, message = message, reason = "A_REASON")))
  answer(status, body, headers = utils::modifyList(list("X-Request-Id" = "r-1"), headers))
}

NUMBER <- list(id = strrep("1", 24), name = "Level", units = "m", dataType = "NUMBER", aggregate = "NONE")

# Rows are texts such as '{"ts":"2024-01-01T00:00:00.000Z","f":{"0":{"v":1}}}'.
document <- function(rows = character(), columns = list(NUMBER), ...) {
  names(columns) <- seq_along(columns) - 1
  header <- json_of(list(columns = columns, ...))
  answer(body = paste0("{\"docType\":\"jts\",\"header\":", header, ",\"data\":[", paste(rows, collapse = ","), "]}"))
}

csv <- function(...) answer(body = paste(sprintf("%s\n", c(character(), ...)), collapse = ""), type = "text/csv")

# Gives the answers in order; the last one again and again. An error is signalled, a function is called with the request.
fake <- function(..., env = parent.frame()) {
  answers <- list(...)
  fake <- new.env()
  fake$requests <- list()
  fake$slept <- numeric()
  handle <- function(request) {
    fake$requests <- c(fake$requests, list(request))
    given <- answers[[min(length(fake$requests), length(answers))]]
    if (is.function(given)) given <- given(request)
    if (inherits(given, "error")) stop(given)
    given
  }
  withr::local_options(list(httr2_mock = handle), .local_envir = env)
  local_the(now = function() NOW, random = function() 1, sleep = function(seconds) fake$slept <- c(fake$slept, seconds), env = env)
  fake$con <- connect(URL, KEY)
  fake
}

local_the <- function(..., env = parent.frame()) {
  given <- list(...)
  before <- mget(names(given), envir = the)
  list2env(given, the)
  withr::defer(list2env(before, the), envir = env)
}

query_of <- function(request) httr2::url_parse(request$url)$query
path_of <- function(request) httr2::url_parse(request$url)$path
# A header of a request, wherever this httr2 has it.
header_of <- function(request, name) {
  found <- request$headers[[name]]
  if (name != "X-Api-Key" || !is.null(found)) return(found)
  sub("^[^:]*: ", "", grep(paste0("^", name), request$options$httpheader, value = TRUE))
}
last <- function(fake) fake$requests[[length(fake$requests)]]

body_of_request <- function(request) {
  bytes <- request$body$data
  if (identical(bytes[1:2], as.raw(c(0x1f, 0x8b)))) {
    file <- tempfile()
    on.exit(unlink(file))
    writeBin(bytes, file)
    bytes <- readBin(gz <- gzfile(file, "rb"), "raw", 2e7)
    close(gz)
  }
  jsonlite::fromJSON(rawToChar(bytes), simplifyVector = FALSE)
}

HOURS <- as.POSIXct(c("2024-01-01 00:00", "2024-01-01 01:00", "2024-01-01 02:00"), tz = "UTC")
EOF_FAILURE <- simpleError("transfer closed with outstanding read data remaining")
REFUSED <- simpleError("Failed to connect to catchment.test port 443: Connection refused")
SLOW <- simpleError("Timeout was reached: [catchment.test] Operation timed out after 90000 milliseconds")

# Returns what some code prints, as output and as messages: httr2 prints by cli.
shown_by <- function(code) {
  output <- character()
  messages <- capture_messages(output <- utils::capture.output(code))
  c(output, messages)
}

# Parts of so many rows.
local_mocked_rows <- function(rows, env = parent.frame()) {
  before <- the$rows_max
  the$rows_max <- rows
  withr::defer(the$rows_max <- before, envir = env)
}
