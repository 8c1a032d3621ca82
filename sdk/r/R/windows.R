# Ranges that are read in several requests: where a range that is too large may be split without changing what is read.
# A window is c(start, end) in milliseconds, the end left out. A grid is list(base, interval, zone), the intervals of an
# aggregate.

# CHANGE says what changed since the record before: it can be split nowhere.
UNCUTTABLE <- "CHANGE"
BASES <- c(D = "D", DAY = "D", W = "W", WEEK = "W", MO = "MO", MONTH = "MO", Y = "Y", YEAR = "Y", H = "H", HOUR = "H")

# Returns two windows in place of one, or NULL where it cannot be split.
halves <- function(window, grid = NULL) {
  cut <- if (is.null(grid)) floor(sum(window) / 2) else cut_of(window, grid)
  if (is.null(cut) || cut <= window[[1]] || cut >= window[[2]]) return(NULL)
  list(c(window[[1]], cut), c(cut, window[[2]]))
}

# Returns where an interval begins, and where the grid of the second half is that of the whole.
cut_of <- function(window, grid) {
  word <- toupper(trimws(grid$base))
  if (!word %in% names(BASES)) return(NULL)
  unit <- BASES[[word]]
  parts <- interval_of(grid$interval)
  base <- start_of(unit, window[[1]], grid$zone)
  middle <- start_of(unit, floor(sum(window) / 2), grid$zone)
  # Nearest to the middle first; an interval of many units meets one of the starts within its own length.
  for (step in 0:399) {
    for (count in unique(c(step, -step))) {
      cut <- plus(middle, count, unit, grid$zone)
      if (cut > window[[1]] && cut < window[[2]] && is_boundary(base, cut, parts, grid$zone)) return(cut)
    }
  }
  NULL
}

is_boundary <- function(base, cut, parts, zone) {
  units <- vapply(parts, `[[`, "", "unit")
  counts <- vapply(parts, `[[`, 0, "count")
  if (all(units %in% names(SECONDS_OF))) return((cut - base) %% (sum(counts * SECONDS_OF[units]) * 1000) == 0)
  if (length(parts) != 1) return(FALSE)
  local <- function(ms) as.POSIXlt(of_ms(ms + offset_at(ms, zone)), tz = "UTC")
  from <- local(base)
  to <- local(cut)
  if (units %in% c("D", "W")) {
    passed <- as.numeric(as.Date(to)) - as.numeric(as.Date(from))
    size <- counts * (if (units == "W") 7 else 1)
  } else {
    passed <- (to$year - from$year) * 12 + to$mon - from$mon
    size <- counts * (if (units == "Y") 12 else 1)
  }
  passed %% size == 0 && plus(base, passed %/% size * counts, units, zone) == cut
}
