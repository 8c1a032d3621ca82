# Tables as tibbles, and back.

QUALITY <- " [Quality]"
ANNOTATION <- " [Annotation]"

tibble_of <- function(table, asked, flags) {
  found <- list(time = of_ms(table$times))
  for (column in table$columns) {
    found[[column$label]] <- if (column$data_type == "TIME") of_ms(column$values) else column$values
    if (flags) {
      found[[paste0(column$label, QUALITY)]] <- column$quality
      found[[paste0(column$label, ANNOTATION)]] <- column$annotation
    }
  }
  frame <- tibble::new_tibble(found, nrow = length(table$times))
  by <- function(name) {
    stats::setNames(vapply(table$columns, `[[`, "", name), vapply(table$columns, `[[`, "", "label"))
  }
  bounds <- arguments(start = if (!is.null(asked$start)) iso(asked$start), end = if (!is.null(asked$end)) iso(asked$end))
  attr(frame, "catchment") <- list(
    units = by("units"), names = by("name"), ids = by("id"), types = by("data_type"), aggregates = by("aggregate"),
    zone = asked$tz, request = c(asked$query, bounds)
  )
  frame
}

# Returns what a data frame holds, checked and sorted by time. Nothing is sent where it cannot be written as it is.
table_of_frame <- function(frame, tz) {
  if (!is.data.frame(frame)) refuse("frame", sprintf("must be a data frame, not %s", class(frame)[[1]]))
  twice <- names(frame)[duplicated(names(frame))]
  if (length(twice)) refuse("frame", sprintf("has two columns '%s'", twice[[1]]))
  if (!"time" %in% names(frame)) refuse("frame", "must have a column 'time' of times")
  times <- ms_of_column(frame$time, "frame$time", tz)
  if (anyNA(times)) refuse("frame", "its column 'time' has rows without a time: frame[!is.na(frame$time), ]")
  columns <- flagged(frame[setdiff(names(frame), "time")], tz)
  order <- order(times)
  table <- picked(list(times = times, columns = columns), order)
  twice <- which(diff(table$times) == 0)
  if (length(twice)) {
    refuse("frame", sprintf(
      "has several rows of %s; times count whole milliseconds. Keep one of each, such as frame[!duplicated(frame$time), ]",
      iso(table$times[[twice[[1]]]])
    ), class = "catchment_non_unique_times")
  }
  outside <- which(table$times < MIN_MS | table$times > MAX_MS)
  if (length(outside)) refuse("frame", "has times that are not within the years 1800 to 9998")
  for (column in table$columns) check_numbers(column, table$times)
  table
}

check_numbers <- function(column, times) {
  wrong <- if (column$data_type == "NUMBER") which(is.infinite(column$values))
  if (length(wrong)) {
    refuse(sprintf("frame$`%s`", column$label), sprintf(
      "is infinite at %s, which no record can be: replace it, by NA for none", iso(times[[wrong[[1]]]])
    ))
  }
}

# Times of a column as milliseconds. POSIXct is an instant; texts and dates may lack a zone.
ms_of_column <- function(values, argument, tz) {
  zone <- zone_of(tz)
  if (inherits(values, c("POSIXct", "POSIXlt"))) return(to_ms(as.POSIXct(values)))
  if (inherits(values, "Date")) return(local_ms_of(as.numeric(values) * 86400000, argument, tz, zone, format(values)))
  if (is.factor(values)) values <- as.character(values)
  if (!is.character(values)) refuse(argument, "must be times: POSIXct, Date, or texts such as 2024-01-05T10:00Z")
  found <- parse_iso(trimws(values))
  wrong <- which(is.na(found$local_ms) & !is.na(values))
  if (length(wrong)) refuse(argument, sprintf("'%s' is no time such as 2024-01-05T10:00Z", values[[wrong[[1]]]]))
  has_zone <- !is.na(found$offset_ms) | is.na(values)
  ms <- found$local_ms - found$offset_ms
  if (!all(has_zone)) {
    ms[!has_zone] <- local_ms_of(found$local_ms[!has_zone], argument, tz, zone, values[!has_zone])
  }
  ms
}

local_ms_of <- function(local_ms, argument, tz, zone, shown) {
  known <- !is.na(local_ms)
  if (is.null(tz) && any(known)) {
    refuse(argument, sprintf(
      "%s has no zone: give tz = \"Australia/Sydney\" (or another), or POSIXct", shown[known][[1]]
    ), class = "catchment_time_without_zone")
  }
  found <- instants_of_local(local_ms, zone)
  wrong <- which(known & (is.na(found$first) | !is.na(found$second)))
  if (length(wrong)) {
    refuse(argument, sprintf(
      "%s is none, or two, on the clock of %s: give POSIXct, or texts with their offset", shown[[wrong[[1]]]], zone
    ))
  }
  found$first
}

# Columns of values, with those of qualities and annotations beside them.
flagged <- function(frame, tz) {
  is_flag <- endsWith(names(frame), QUALITY) | endsWith(names(frame), ANNOTATION)
  labels <- names(frame)[!is_flag]
  if (!length(labels)) refuse("frame", "has no column of values")
  for (flag in names(frame)[is_flag]) {
    if (!sub(" \\[(Quality|Annotation)\\]$", "", flag) %in% labels) {
      refuse(sprintf("frame$`%s`", flag), "has no column of values")
    }
  }
  size <- nrow(frame)
  lapply(labels, function(label) {
    quality <- frame[[paste0(label, QUALITY)]]
    annotation <- frame[[paste0(label, ANNOTATION)]]
    c(
      list(label = label, id = "", name = label, units = "", aggregate = "NONE"),
      typed(frame[[label]], sprintf("frame$`%s`", label), tz),
      list(
        quality = checked_quality(quality, paste0(label, QUALITY), size),
        annotation = checked_annotation(annotation, paste0(label, ANNOTATION), size)
      )
    )
  })
}

typed <- function(values, argument, tz) {
  if (inherits(values, c("POSIXct", "POSIXlt", "Date"))) return(list(data_type = "TIME", values = ms_of_column(values, argument, tz)))
  if (is.factor(values)) values <- as.character(values)
  if (is.character(values)) return(list(data_type = "TEXT", values = enc2utf8(values)))
  is_number <- is.logical(values) || (is.numeric(values) && is.null(dim(values)))
  if (is_number && !inherits(values, "difftime")) {
    # integer64 of bit64 and the like convert by their own methods.
    return(list(data_type = "NUMBER", values = as.double(values)))
  }
  is_pair <- function(one) is.null(one) || (is.numeric(one) && length(one) == 2 && !anyNA(one))
  if (is.list(values) && !is.data.frame(values) && all(vapply(values, is_pair, NA))) {
    return(list(data_type = "COORDINATES", values = values))
  }
  refuse(argument, sprintf("must be numbers, texts, times or pairs (latitude, longitude) in a list, not %s", class(values)[[1]]))
}

checked_quality <- function(values, label, size) {
  if (is.null(values)) return(rep(NA_integer_, size))
  wrong <- if (is.numeric(values) || is.logical(values)) {
    which(!is.na(values) & (values != floor(values) | values < 0 | values > 65535))
  } else {
    which(!is.na(values))
  }
  if (length(wrong)) refuse(sprintf("frame$`%s`", label), sprintf("%s is no whole number from 0 to 65535", format(values[[wrong[[1]]]])))
  as.integer(values)
}

checked_annotation <- function(values, label, size) {
  if (is.null(values)) return(rep(NA_character_, size))
  if (is.factor(values) || all(is.na(values))) values <- as.character(values)
  if (!is.character(values) || any(nchar(values) > 500, na.rm = TRUE)) {
    refuse(sprintf("frame$`%s`", label), "must be texts of up to 500 characters")
  }
  enc2utf8(values)
}
