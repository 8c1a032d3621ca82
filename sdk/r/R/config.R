# A connection finds its address and key here: arguments, then the environment, then a profile of a file.

# Both come from one place: a key is sent to another address than its own place names only if the caller gives it.
settings_of <- function(url, key, profile) {
  asked <- if (is.null(profile)) env_text("CATCHMENT_PROFILE") else profile
  sources <- list(list(name = "the arguments", url = url, key = key))
  if (is.null(profile)) {
    sources <- c(sources, list(list(name = "the environment", url = env_text("CATCHMENT_URL"), key = env_text("CATCHMENT_KEY"))))
  }
  with_url <- Find(function(one) !is.null(one$url), sources)
  with_key <- Find(function(one) !is.null(one$key), sources)
  # A file that nobody needs does no harm when it is broken.
  if (is.null(with_url) || is.null(with_key)) {
    of_file <- source_of_file(config_file(), asked)
    if (is.null(with_url) && !is.null(of_file$url)) with_url <- of_file
    if (is.null(with_key) && !is.null(of_file$key)) with_key <- of_file
  }
  missing <- if (is.null(with_url)) "url" else if (is.null(with_key)) "key"
  if (!is.null(missing)) {
    configuration_error(sprintf(
      "%s: not found. Give connect(%s = \"...\"), set CATCHMENT_%s, or write it into %s: %s = \"...\"",
      missing, missing, toupper(missing), config_file(), missing
    ))
  }
  if (!is.null(with_key$url) && bare_url(with_key$url) != bare_url(with_url$url)) {
    configuration_error(sprintf(
      "key: that of %s belongs to %s, but url is %s: give the key of that address too", with_key$name, with_key$url, with_url$url
    ))
  }
  list(url = checked_url(with_url$url), key = checked_key(with_key$key))
}

configuration_error <- function(text) stop(condition_of("catchment_configuration_error", text))

env_text <- function(name) {
  found <- Sys.getenv(name)
  if (nzchar(found)) found
}

config_file <- function() {
  folder <- env_text("XDG_CONFIG_HOME")
  file.path(if (is.null(folder)) path.expand("~/.config") else folder, "catchment.toml")
}

source_of_file <- function(file, profile) {
  found <- list()
  if (file.exists(file)) {
    # The text of the parser may show a line of the file, and with it a key.
    found <- tryCatch(
      RcppTOML::parseTOML(file),
      error = function(e) configuration_error(sprintf("%s: cannot be read as TOML", file))
    )
  }
  text <- function(value) if (is_text(value)) value
  wanted <- if (is.null(profile)) text(found$default) else profile
  if (is.null(wanted)) return(list(name = file, url = text(found$url), key = text(found$key)))
  profiles <- if (is.list(found$profiles)) found$profiles else list()
  one <- profiles[[wanted]]
  if (!is.list(one)) {
    known <- if (length(profiles)) paste(sort(names(profiles)), collapse = ", ") else "none"
    configuration_error(sprintf("profile: %s has no profile '%s'; known: %s", file, wanted, known))
  }
  list(name = sprintf("profile '%s' of %s", wanted, file), url = text(one$url), key = text(one$key))
}

# The address without a slash at the end, and without the path of the API, which people copy with it.
bare_url <- function(url) sub("/api/v1$", "", sub("/+$", "", trimws(url)))

checked_url <- function(url) {
  bare <- bare_url(url)
  if (!grepl("^https?://[^/?#@]+([/].*)?$", bare)) refuse("url", "must be an address such as https://catchment.example.org")
  bare
}

checked_key <- function(key) {
  if (!is_text(key) || !grepl("^[!-~]+$", key)) refuse("key", "must be the key alone, without blanks and line breaks")
  key
}
