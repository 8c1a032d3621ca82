# A tree shows these of each node.
TREE_ATTRIBUTES <- "_id,_class,name,customId,parentId,units,currentTime,currentValue"

tree <- function(con, pattern = NULL) {
  check_connection(con)
  if (!is.null(pattern) && !is_text(pattern)) refuse("pattern", "must be a text such as \"Dead Run*/*/Gage height\"")
  found <- pages(con, "/api/v1/nodes", list(attr = TREE_ATTRIBUTES))
  text <- function(name) vapply(found, function(one) if (is_text(one[[name]])) one[[name]] else NA_character_, "")
  name <- text("name")
  frame <- tibble::tibble(
    id = text("_id"), path = NA_character_, name = ifelse(is.na(name), "", name), kind = sub(".*\\.", "", text("_class")),
    custom_id = text("customId"), parent = text("parentId"), depth = NA_integer_, units = text("units")
  )
  frame <- placed(frame)
  if (is.null(pattern)) return(frame)
  frame[matches(frame$path, pattern), ]
}

# In the order of the tree. A node whose parent cannot be seen is a root.
placed <- function(frame) {
  above <- match(frame$parent, frame$id)
  frame$path <- frame$name
  frame$depth <- rep(0L, nrow(frame))
  keys <- tolower(frame$name)
  at <- above
  # A tree has few levels: each turn goes up by one for all nodes at once.
  while (any(!is.na(at)) && max(frame$depth) < 64L) {
    is_below <- !is.na(at)
    frame$path[is_below] <- paste0(frame$name[at[is_below]], "/", frame$path[is_below])
    # Names sort as wholes: the separator is before any other sign.
    keys[is_below] <- paste0(tolower(frame$name[at[is_below]]), "\001", frame$id[at[is_below]], "\001", keys[is_below])
    frame$depth[is_below] <- frame$depth[is_below] + 1L
    at[is_below] <- above[at[is_below]]
  }
  frame[order(keys, frame$id, method = "radix"), ]
}

# Returns whether paths end in a pattern, from a name on: `*` stands for any text, with `/` first it is the whole path.
matches <- function(paths, pattern) {
  words <- strsplit(paste0(gsub("^/+|/+$", "", pattern), "*"), "*", fixed = TRUE)[[1]]
  words <- gsub("([][{}()+*^$|\\\\?.])", "\\\\\\1", words)
  body <- paste(words, collapse = ".*")
  if (endsWith(pattern, "*")) body <- paste0(body, ".*")
  grepl(paste0("(?s)^", if (startsWith(pattern, "/")) "" else "(?:.*/)?", body, "$"), paths, perl = TRUE, ignore.case = TRUE)
}
