# Failures are classes by what the caller can do about them. All are `catchment_error`. A condition has no call and no
# trace: a call may hold a key as text.

condition_of <- function(class, message, ..., parent = NULL) {
  structure(
    class = c(class, "catchment_error", "error", "condition"),
    list(message = message, call = NULL, parent = parent, ...)
  )
}

# An argument breaks a rule; nothing was sent.
refuse <- function(argument, rule, class = NULL) {
  stop(condition_of(c(class, "catchment_argument_error"), paste0(argument, ": ", rule), argument = argument))
}

# No whole answer came. `was_sent` is FALSE where the request never left, so that it did nothing for sure.
transport_error <- function(message, was_sent = TRUE, class = NULL) {
  condition_of(c(class, "catchment_transport_error"), message, was_sent = was_sent)
}

cut_stream <- function(message) transport_error(message, class = "catchment_cut_stream_error")

STATUS_CLASSES <- c(
  "400" = "catchment_bad_request", "401" = "catchment_authentication_error", "403" = "catchment_permission_denied",
  "404" = "catchment_not_found", "412" = "catchment_changed", "413" = "catchment_too_large", "429" = "catchment_rate_limited",
  "503" = "catchment_unavailable"
)
HINTS <- c(
  "400" = "change the argument that is named; nothing was changed on the server",
  "401" = "check key =, CATCHMENT_KEY or the profile: the key is wrong, was revoked, or is another installation's",
  "403" = "the key may not do this: take one with more permission or access",
  "404" = "check the id, or @customId, and that the key's account has it",
  "412" = "read the node again, then change it",
  "413" = "ask for less at once: a shorter range, fewer nodes, an aggregate",
  "429" = "wait for retry_after seconds; fewer and larger requests help",
  "503" = "the server is starting, stopping or overloaded: try again later"
)

# The error that an answer means.
error_of <- function(answer, retry_after = NULL) {
  reported <- tryCatch(jsonlite::fromJSON(rawToChar(answer$body), simplifyVector = FALSE)$error, error = function(e) NULL)
  if (!is.list(reported) || !is.character(reported$message)) return(not_ours(answer))
  status <- as.character(answer$status)
  class <- if (status %in% names(STATUS_CLASSES)) STATUS_CLASSES[[status]] else "catchment_server_error"
  hint <- if (status %in% names(HINTS)) HINTS[[status]] else "the server's log has more under the request id"
  request_id <- answer$headers[["x-request-id"]]
  known <- paste0(
    answer$status,
    if (!is.null(reported$reason)) paste0(", ", reported$reason),
    if (!is.null(request_id)) paste0(", request ", request_id)
  )
  argument <- if (status == "400") named_argument(reported$message)
  condition_of(
    c(class, "catchment_api_error"), paste0(reported$message, " (", known, "): ", hint),
    status = answer$status, reason = reported$reason, argument = argument, request_id = request_id, retry_after = retry_after
  )
}

named_argument <- function(message) {
  found <- regmatches(message, regexec("^([A-Za-z0-9_.$-]+)(: | must )", message))[[1]]
  if (length(found)) found[[2]]
}

not_ours <- function(answer) {
  class <- "catchment_unexpected_answer"
  if (answer$status >= 300 && answer$status < 400) {
    place <- if (is.null(answer$headers$location)) "another place" else answer$headers$location
    text <- sprintf("url: leads on to %s (%d): give that address, if it is yours", place, answer$status)
    return(condition_of(class, text, status = answer$status))
  }
  media <- sub(";.*", "", media_type(answer))
  text <- sprintf(
    "url: something that is not Catchment answered %d with %s: check the address, and any proxy between here and the server",
    answer$status, if (nzchar(media)) media else "nothing"
  )
  condition_of(class, text, status = answer$status)
}

media_type <- function(answer) {
  found <- answer$headers[["content-type"]]
  if (is.null(found)) "" else found
}
