# Address and key come from their places, the key is never shown, and every operation is reached.

FILE <- c(
  "default = \"home\"", "[profiles.home]", "url = \"https://home.test\"", "key = \"home-key\"", "[profiles.work]",
  "url = \"https://work.test\"", "key = \"work-key\""
)

with_file <- function(lines, env, work) {
  folder <- withr::local_tempdir()
  writeLines(lines, file.path(folder, "catchment.toml"))
  none <- c(CATCHMENT_URL = "", CATCHMENT_KEY = "", CATCHMENT_PROFILE = "", XDG_CONFIG_HOME = folder)
  none[names(env)] <- env
  withr::with_envvar(none, work())
}

test_that("address and key are found", {
  environment <- c(CATCHMENT_URL = "https://b.test", CATCHMENT_KEY = "e")
  cases <- list(
    list(list("https://a.test/", "k"), environment["CATCHMENT_URL"], FILE, c("https://a.test", "k")),
    list(list("https://a.test/api/v1/", "k"), c(), "", c("https://a.test", "k")),
    list(list(), environment, FILE, c("https://b.test", "e")),
    list(list(), c(), FILE, c("https://home.test", "home-key")),
    list(list(profile = "work"), environment, FILE, c("https://work.test", "work-key")),
    list(list(), c(CATCHMENT_PROFILE = "work"), FILE, c("https://work.test", "work-key")),
    list(list(), c(), c("url = \"https://plain.test\"", "key = \"p\""), c("https://plain.test", "p")),
    list(list("https://home.test/"), c(), FILE, c("https://home.test", "home-key")),
    list(list("https://a.test"), environment["CATCHMENT_KEY"], "", c("https://a.test", "e")),
    # A file that nobody needs is not read.
    list(list("https://a.test", "k"), c(CATCHMENT_PROFILE = "away"), "no = TOML =", c("https://a.test", "k"))
  )
  for (case in cases) {
    con <- with_file(case[[3]], case[[2]], function() do.call(connect, case[[1]]))
    expect_equal(c(con$url, the$keys[[con$id]]), case[[4]])
  }
})

test_that("what is missing or wrong is reported, without a key", {
  cases <- list(
    list(list(), c(), "", "url: not found"),
    list(list("https://a.test"), c(), "", "key: not found"),
    # A key goes nowhere but where its own place says, unless the caller gives it.
    list(list("https://elsewhere.test"), c(), FILE, "belongs to https://home.test"),
    list(list("https://elsewhere.test"), c(CATCHMENT_URL = "https://b.test", CATCHMENT_KEY = "e"), "", "belongs to https://b.test"),
    list(list(profile = "away"), c(), FILE, "no profile 'away'; known: home, work"),
    list(list(), c(), c("key = \"home-key\"", "url = "), "cannot be read"),
    list(list(profile = "a"), c(), "profiles = \"home-key\"", "no profile 'a'; known: none"),
    list(list("ftp://a.test", "k"), c(), "", "^url: "),
    list(list("a.test", "k"), c(), "", "^url: "),
    list(list("https://a.test", "k k\n"), c(), "", "^key: "),
    list(list("https://a.test", c("k", "l")), c(), "", "^key: ")
  )
  for (case in cases) {
    printed <- utils::capture.output(
      error <- expect_error(with_file(case[[3]], case[[2]], function() do.call(connect, case[[1]])), case[[4]], class = "catchment_error")
    )
    expect_false(any(grepl("home-key|work-key|k k", c(conditionMessage(error), printed))))
  }
})

test_that("the key is printed by nothing", {
  fake <- fake(json("_id" = "1"))
  call_api(fake$con, "getNode", id = "@a")
  expect_equal(header_of(last(fake), "X-Api-Key"), KEY)
  shown <- shown_by({
    print(fake$con)
    utils::str(fake$con)
    dput(unclass(fake$con)[c("url", "id")])
    print(last(fake))
    cat(format(fake$con))
  })
  expect_true(any(grepl("Options|Headers", shown)))
  expect_false(any(grepl(KEY, shown, fixed = TRUE)))
  file <- withr::local_tempfile()
  saveRDS(fake$con, file, compress = FALSE)
  expect_false(grepl(KEY, rawToChar(Filter(function(one) one != 0, readBin(file, "raw", 1e6))), fixed = TRUE, useBytes = TRUE))
})

test_that("a connection of another session says that it has no key", {
  con <- structure(list(url = URL, id = "another"), class = "catchment_connection")
  expect_error(tree(con), "another session", class = "catchment_argument_error")
  expect_error(write("a", "file.txt"), "base::write", class = "catchment_argument_error")
})

test_that("every operation is reached or left out with its reason", {
  expect_true(all(names(LEFT_OUT) %in% names(OPERATIONS)))
  expect_true(all(nchar(LEFT_OUT) > 8))
  for (name in names(OPERATIONS)) {
    one <- OPERATIONS[[name]]
    fake <- fake(json(ok = TRUE))
    given <- stats::setNames(as.list(rep("@a", length(one$path_arguments))), one$path_arguments)
    body <- if (!is.null(one$body)) list(x = "1")
    call <- function() do.call(call_api, c(list(fake$con, name, body), given))
    if (name %in% names(LEFT_OUT)) {
      expect_error(call(), "^operation: ", class = "catchment_argument_error")
      next
    }
    expect_true(one$keys, info = name)
    call()
    expect_length(fake$requests, 1)
    expect_equal(last(fake)$method, one$method)
    expect_false(grepl("{", path_of(last(fake)), fixed = TRUE))
    expect_equal(is.null(last(fake)$headers[["Idempotency-Key"]]), one$method == "GET")
  }
})

test_that("wrong calls are reported before anything is sent", {
  fake <- fake(accepted())
  expect_error(call_api(fake$con, "getNobody"), "no operation")
  expect_error(call_api(fake$con, "signIn"), "browser")
  expect_error(call_api(fake$con, "getNode"), "^id: must be given")
  expect_error(call_api(fake$con, "getNode", id = "@a", colour = "red"), "^colour: is no argument of getNode")
  expect_length(fake$requests, 0)
})

test_that("an id cannot lead to another path", {
  fake <- fake(json("_id" = "1"))
  call_api(fake$con, "getNode", id = "../owners/account?x=1#y")
  expect_match(last(fake)$url, "/api/v1/nodes/..%2Fowners%2Faccount%3Fx%3D1%23y", fixed = TRUE)
})

test_that("answers come as what they are", {
  expect_equal(call_api(fake(answer(body = "%PDF", type = "application/pdf"))$con, "renderReport", id = "@a"), charToRaw("%PDF"))
  expect_equal(call_api(fake(answer(body = "1,2\n", type = "text/csv"))$con, "getRating", id = "@a"), "1,2\n")
})
