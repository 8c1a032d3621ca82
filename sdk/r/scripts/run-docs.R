# Runs the examples of README.md as they stand there, against the server of CATCHMENT_URL and CATCHMENT_KEY.
library(catchment)

lines <- readLines("README.md", encoding = "UTF-8")
begins <- which(lines == "<!-- run -->") + 2
blocks <- lapply(begins, function(first) {
  last <- which(lines == "```" & seq_along(lines) >= first)[[1]] - 1
  lines[first:last]
})
stopifnot("README.md has no example that is run" = length(blocks) > 0)

admin <- connect()
make <- function(kind, name, ...) {
  call_api(admin, "createNode", list("_class" = paste0("io.svc.models.node.", kind), name = name, ...))[["_id"]]
}
workspace <- make("Workspace", "Rivers of the README of R")
river <- make("location.Location", "Dead Run at Franklintown", parentId = workspace)
gauge <- make("source.data.Jts", "River gauge", parentId = river, customId = "r-gauge")
make("point.NumberPoint", "stage", parentId = gauge, customId = "r-stage", units = "ft")
make("point.NumberPoint", "flow", parentId = gauge, customId = "r-flow", units = "ft3/s")
times <- seq(as.POSIXct("2018-06-01", tz = "America/New_York"), by = "15 min", length.out = 30 * 96)
invisible(write(admin, "@r-gauge", data.frame(time = times, stage = 3, flow = 20), wait = "readable"))

for (block in blocks) eval(parse(text = block), globalenv())
stopifnot(nrow(df) == 30, all(df$stage == 3), result$records == 2, nrow(found) >= 2, nchar(text) > 0)
invisible(call_api(admin, "deleteNode", id = workspace))
cat(length(blocks), "examples\n")
