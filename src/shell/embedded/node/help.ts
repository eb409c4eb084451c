/** The text of `node --help`: the options that exist here. */
export const help = `Usage: node [options] [ script.js ] [arguments]
       node [options] -e script [arguments]
       node --test [options] [files]

This is no Node.js: it is QuickJS in the browser, with Node 20's modules as far as they can work here.

Options:
  -                           script read from stdin
  --                          indicate the end of node options
  -c, --check                 syntax check script without executing
  -C, --conditions=...        additional conditions for exports and imports
  -e, --eval=...              evaluate script
  --env-file=...              set environment variables from a file
  -h, --help                  print this
  --import=...                ES module to preload
  --input-type=...            module or commonjs, for -e, -p and stdin
  --no-warnings               print no warnings
  -p, --print=...             evaluate script and print the result
  -r, --require=...           CommonJS module to preload
  --test                      run tests
  --test-name-pattern=...     run only tests with such a name
  --test-only                 run only tests marked with "only"
  --test-reporter=...         spec or tap
  --unhandled-rejections=...  throw, strict, warn or none
  -v, --version               print the version
`;
