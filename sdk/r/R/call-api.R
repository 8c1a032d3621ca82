# Operations that call_api() does not reach, with the reason.
LEFT_OUT <- c(
  signIn = "a person signs in by a browser; programs have a key",
  signOut = "a person's session in a browser",
  getSession = "needs a person's session",
  updateProfile = "needs a person's session",
  listOwnKeys = "needs a person's session",
  createOwnKey = "needs a person's session",
  deleteOwnKey = "needs a person's session",
  getOwnNotifications = "needs a person's session",
  listSignIns = "needs a person's session",
  endSignIn = "needs a person's session",
  listPreferences = "needs a person's session",
  getPreference = "needs a person's session",
  putPreference = "needs a person's session",
  deletePreference = "needs a person's session",
  listInvitations = "needs a person's session",
  acceptInvitation = "needs a person's session",
  declineInvitation = "needs a person's session",
  listAllAccounts = "needs the session of an operator",
  changeAnyAccount = "needs the session of an operator",
  getHealthOfInstallation = "needs the session of an operator",
  listDeadLetters = "needs the session of an operator",
  retryDeadLetter = "needs the session of an operator",
  dropDeadLetter = "needs the session of an operator",
  getFile = "signed links open without a client: give fileUrl of a node to download.file()",
  getPreview = "as getFile",
  pushFile = "of devices, which have passwords of their own instead of a key",
  takeUplink = "of network servers of LoRaWAN",
  takeSamples = "of an app on phones",
  followEvents = "an answer without an end: events(con, follow = ...)",
  followNodes = "an answer without an end: tree(con) shows what there is now"
)

call_api <- function(con, operation, body = NULL, ...) {
  check_connection(con)
  if (!is_text(operation)) refuse("operation", "must be the id of an operation, such as \"createWebhook\"")
  known <- OPERATIONS[[operation]]
  if (is.null(known) || operation %in% names(LEFT_OUT)) {
    why <- if (operation %in% names(LEFT_OUT)) LEFT_OUT[[operation]] else "no operation of the API has this id"
    refuse("operation", sprintf("'%s': %s", operation, why))
  }
  given <- list(...)
  path <- known$path
  for (name in known$path_arguments) {
    value <- given[[name]]
    if (!is_text(value)) refuse(name, sprintf("must be given: %s is %s %s", operation, known$method, known$path))
    path <- sub(paste0("{", name, "}"), quoted(value), path, fixed = TRUE)
    given[[name]] <- NULL
  }
  unknown <- setdiff(if (length(given)) names(given), known$query)
  if (length(unknown)) {
    takes <- if (length(known$query)) paste(known$query, collapse = ", ") else "none"
    refuse(unknown[[1]], sprintf("is no argument of %s; it takes %s", operation, takes))
  }
  request <- request_of(known$method, path, do.call(arguments, given))
  answer <- exchange(con, with_body(request, body, known$body))
  if (grepl("json", media_type(answer), fixed = TRUE)) return(parsed_json(answer))
  if (!startsWith(known$answer, "text/")) return(answer$body)
  text <- rawToChar(answer$body)
  Encoding(text) <- "UTF-8"
  text
}

# Whatever changes something may be sent again without harm: the server knows it by its key.
with_body <- function(request, body, media) {
  if (request$method != "GET") request$headers[["Idempotency-Key"]] <- random_id()
  if (is.null(body)) return(request)
  if (identical(media, "multipart/form-data")) {
    if (!is.list(body) || is.null(names(body))) {
      refuse("body", "must be a list of the parts of the form: list(file = curl::form_file(\"july.csv\"))")
    }
    request$parts <- body
    return(request)
  }
  request$headers[["Content-Type"]] <- if (is.null(media)) "application/json" else media
  is_json <- is.null(media) || grepl("json", media, fixed = TRUE)
  request$body <- if (is.raw(body)) body else if (is_text(body) && !is_json) charToRaw(enc2utf8(body)) else charToRaw(enc2utf8(json_of(body)))
  request
}
