# Times in and out: milliseconds since 1970 inside, as whole numbers in doubles, whatever people write outside.

# The server keeps the years 1800 to 9998.
MIN_MS <- -5364662400000
MAX_MS <- 253370764800000 - 1
UNIT_OF <- c(
  Y = "Y", YEAR = "Y", MO = "MO", MONTH = "MO", W = "W", WEEK = "W", D = "D", DAY = "D",
  H = "H", HOUR = "H", M = "M", MINUTE = "M", S = "S", SECOND = "S"
)
SECONDS_OF <- c(H = 3600, M = 60, S = 1)
UNIT_WORDS <- "(?:YEAR|MONTH|MINUTE|SECOND|WEEK|HOUR|DAY|MO|Y|W|D|H|M|S)"
PART <- paste0("([+-]?)(\\d+)(", UNIT_WORDS, ")S?(?![A-Z])")
RELATIVE <- paste0("^(NOW|", UNIT_WORDS, "S?)((?:[+-]?\\d+", UNIT_WORDS, "S?)*)$")

# A zone by its name; UTC without one.
zone_of <- function(tz) {
  if (is.null(tz)) return("UTC")
  if (!is_text(tz) || !(tz %in% OlsonNames() || tz == "UTC")) {
    refuse("tz", sprintf("'%s' is no time zone such as Australia/Sydney", paste(format(tz), collapse = " ")))
  }
  tz
}

is_text <- function(x) is.character(x) && length(x) == 1 && !is.na(x) && nzchar(x)

# POSIXct counts seconds in doubles, which do not hold milliseconds exactly: the nearest one is meant.
to_ms <- function(time) round(as.numeric(time) * 1000)
of_ms <- function(ms) as.POSIXct(ms / 1000, origin = "1970-01-01", tz = "UTC")

iso <- function(ms) {
  # The truncated part is added as text: format() would round, or truncate a digit too many.
  seconds <- floor(ms / 1000)
  time <- as.POSIXlt(of_ms(seconds * 1000), tz = "UTC")
  sprintf(
    "%04d-%02d-%02dT%02d:%02d:%02d.%03dZ",
    time$year + 1900L, time$mon + 1L, time$mday, time$hour, time$min, as.integer(time$sec), as.integer(ms - seconds * 1000)
  )
}

ISO <- paste0(
  "^(\\d{4}-\\d{2}-\\d{2})(?:[T ](\\d{2}:\\d{2})(?::(\\d{2})(?:\\.(\\d{1,9}))?)?)?",
  "\\s*(Z|z|[+-]\\d{2}(?::?\\d{2}(?::\\d{2})?)?)?$"
)

# Texts as seconds of their own clock and the offset of it, NA where there is none; both NA where a text is no time.
parse_iso <- function(text) {
  text[is.na(text)] <- ""
  found <- regmatches(text, regexec(ISO, text, perl = TRUE))
  part <- function(place, otherwise) {
    vapply(found, function(one) if (length(one) && nzchar(one[[place]])) one[[place]] else otherwise, "")
  }
  whole <- paste0(part(2, ""), " ", part(3, "00:00"), ":", part(4, "00"))
  day <- suppressWarnings(as.POSIXct(whole, format = "%Y-%m-%d %H:%M:%S", tz = "UTC"))
  ms <- as.numeric(substr(paste0(part(5, "0"), "000"), 1, 3))
  zone <- part(6, "")
  digits <- gsub("[^0-9]", "", zone)
  digits <- as.numeric(substr(paste0(digits, "000000"), 1, 6))
  offset <- (digits %/% 10000) * 3600 + (digits %/% 100 %% 100) * 60 + digits %% 100
  offset <- ifelse(startsWith(zone, "-"), -offset, offset)
  list(local_ms = as.numeric(day) * 1000 + ms, offset_ms = ifelse(nzchar(zone), offset * 1000, NA_real_))
}

# Times as the server writes them.
ms_of_iso <- function(text) {
  found <- parse_iso(text)
  found$local_ms - found$offset_ms
}

offset_at <- function(ms, zone) {
  found <- as.POSIXlt(of_ms(ms), tz = zone)$gmtoff
  # R before 4.3 reports none for UTC.
  if (is.null(found)) 0 * ms else found * 1000
}

# Times of the clock in a zone as the instants that they may be: NA in `first` where the clock skips them, and in `second` where they come once.
instants_of_local <- function(local_ms, zone) {
  day <- 86400000
  if (zone == "UTC") return(list(first = local_ms, second = rep(NA_real_, length(local_ms)), forward = local_ms))
  before <- local_ms - offset_at(local_ms - day, zone)
  after <- local_ms - offset_at(local_ms + day, zone)
  is_good <- function(ms) !is.na(ms) & ms + offset_at(ms, zone) == local_ms
  good <- cbind(is_good(before), is_good(after) & after != before)
  first <- ifelse(good[, 1] & good[, 2], pmin(before, after), ifelse(good[, 1], before, ifelse(good[, 2], after, NA_real_)))
  second <- ifelse(good[, 1] & good[, 2], pmax(before, after), NA_real_)
  list(first = first, second = second, forward = ifelse(is.na(first), before, first))
}

# A time of the clock in a zone: what is skipped moves forward, of what comes twice it is the earlier.
settled <- function(local_ms, zone) instants_of_local(local_ms, zone)$forward

# Milliseconds of a bound: a POSIXct, a Date, or a text such as "2024", "2024-01-05T10:00", "yesterday", "NOW-7D".
instant <- function(argument, value, zone) {
  found <- NA_real_
  if (length(value) == 1 && !is.na(value)) {
    if (inherits(value, c("POSIXct", "POSIXlt"))) found <- to_ms(as.POSIXct(value))
    else if (inherits(value, "Date")) found <- settled(as.numeric(value) * 86400000, zone)
    else if (is.character(value)) found <- instant_of_text(trimws(value), zone)
  }
  if (is.na(found)) {
    refuse(argument, sprintf(
      "%s is no time such as 2024-01, 2024-01-05T10:00, yesterday or NOW-7D", paste(format(value), collapse = " ")
    ))
  }
  if (found < MIN_MS || found > MAX_MS) refuse(argument, sprintf("%s is not within the years 1800 to 9998", format(value)))
  found
}

instant_of_text <- function(text, zone) {
  word <- toupper(gsub("\\s+", "", text))
  word <- switch(word, TODAY = "D", YESTERDAY = "D-1D", word)
  relative <- regmatches(word, regexec(RELATIVE, word, perl = TRUE))[[1]]
  if (length(relative)) return(relative_instant(relative[[2]], relative[[3]], zone))
  if (grepl("^\\d{4}$", text)) text <- paste0(text, "-01-01")
  else if (grepl("^\\d{4}-\\d{2}$", text)) text <- paste0(text, "-01")
  found <- parse_iso(text)
  if (is.na(found$offset_ms)) settled(found$local_ms, zone) else found$local_ms - found$offset_ms
}

relative_instant <- function(base, steps, zone) {
  moment <- floor(the$now() * 1000)
  if (base != "NOW") moment <- start_of(unit_of(base), moment, zone)
  sign <- ""
  for (step in parts_of(steps)) {
    if (nzchar(step$sign)) sign <- step$sign
    if (!nzchar(sign)) return(NA_real_)
    moment <- plus(moment, if (sign == "-") -step$count else step$count, step$unit, zone)
  }
  moment
}

unit_of <- function(word) UNIT_OF[[if (word %in% names(UNIT_OF)) word else sub("S$", "", word)]]

parts_of <- function(text) {
  whole <- regmatches(text, gregexpr(PART, text, perl = TRUE))[[1]]
  lapply(whole, function(one) {
    part <- regmatches(one, regexec(PART, one, perl = TRUE))[[1]]
    list(sign = part[[2]], count = as.numeric(part[[3]]), unit = unit_of(part[[4]]))
  })
}

# The parts of an interval such as 1D or 1H30M.
interval_of <- function(text) {
  word <- toupper(gsub("\\s+", "", text))
  parts <- Filter(function(part) !nzchar(part$sign), parts_of(word))
  is_good <- length(parts) > 0 && !nzchar(gsub(PART, "", word, perl = TRUE)) && all(vapply(parts, `[[`, 0, "count") >= 1)
  if (!is_good) refuse("interval", sprintf("'%s' is no interval such as 1D, 15M or 1H30M", text))
  parts
}

# The start of the year, month, week (Monday), day, hour ... that a time is in, on the clock of a zone.
start_of <- function(unit, ms, zone) {
  local <- ms + offset_at(ms, zone)
  if (unit %in% names(SECONDS_OF)) return(ms - local %% (SECONDS_OF[[unit]] * 1000))
  day <- as.POSIXlt(of_ms(floor(local / 86400000) * 86400000), tz = "UTC")
  if (unit == "W") day$mday <- day$mday - (day$wday + 6L) %% 7L
  if (unit %in% c("MO", "Y")) day$mday <- 1L
  if (unit == "Y") day$mon <- 0L
  settled(to_ms(as.POSIXct(day)), zone)
}

# Years to days keep the time of the clock, hours to seconds are elapsed time.
plus <- function(ms, count, unit, zone) {
  if (unit %in% names(SECONDS_OF)) return(ms + count * SECONDS_OF[[unit]] * 1000)
  local <- ms + offset_at(ms, zone)
  if (unit %in% c("D", "W")) return(settled(local + count * (if (unit == "W") 7 else 1) * 86400000, zone))
  day <- floor(local / 86400000) * 86400000
  date <- as.POSIXlt(of_ms(day), tz = "UTC")
  months <- (date$year + 1900) * 12 + date$mon + count * (if (unit == "Y") 12 else 1)
  first_of <- function(month) as.numeric(as.Date(sprintf("%04d-%02d-01", month %/% 12, month %% 12 + 1)))
  days <- first_of(months + 1) - first_of(months)
  settled((first_of(months) + min(date$mday, days) - 1) * 86400000 + (local - day), zone)
}
