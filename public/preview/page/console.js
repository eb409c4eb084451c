/** The console. Sends what the page writes to the app, as text. */
window.previewParts.push(function consoles(kit) {
  "use strict";

  let indent = "";
  kit.print = (level, values) => {
    const text = kit.withPaths(format(values)).slice(0, 20_000);
    kit.port.postMessage({ type: "console", level, text: indent === "" ? text : indent + text.replaceAll("\n", `\n${indent}`) });
  };
  const { print } = kit;

  kit.replaceConsole = () => {
    for (const level of ["debug", "log", "info", "warn", "error"]) {
      const real = console[level];
      console[level] = (...values) => {
        real.apply(console, values);
        print(level, values);
      };
    }
    const counts = new Map();
    const times = new Map();
    const since = (label) => `${(performance.now() - (times.get(label) ?? performance.now())).toFixed(1)} ms`;
    Object.assign(console, {
      trace: (...values) =>
        print("log", [...values, `\n${String(new Error("trace").stack).replace(/^.*\n(?:.*console\.trace.*\n)?/, "")}`]),
      dir: (value) => print("log", [value]),
      table: (value, columns) => print("log", [table(value, columns)]),
      assert: (condition, ...values) => {
        if (!condition) print("error", ["Assertion failed:", ...values]);
      },
      count: (label = "default") => {
        counts.set(label, (counts.get(label) ?? 0) + 1);
        print("log", [`${label}: ${counts.get(label)}`]);
      },
      countReset: (label = "default") => void counts.delete(label),
      time: (label = "default") => void times.set(label, performance.now()),
      timeLog: (label = "default", ...values) => print("log", [`${label}: ${since(label)}`, ...values]),
      timeEnd: (label = "default") => {
        print("log", [`${label}: ${since(label)}`]);
        times.delete(label);
      },
      group: (...values) => {
        if (values.length > 0) print("log", values);
        if (indent.length < 20) indent += "  ";
      },
      groupEnd: () => {
        indent = indent.slice(2);
      },
    });
    console.groupCollapsed = console.group;
  };

  function format(values) {
    const [first, ...rest] = values;
    if (typeof first !== "string") return values.map((value) => inspect(value, 3)).join(" ");
    const filled = first.replace(/%([sdifoOc%])/g, (match, letter) => {
      if (letter === "%") return "%";
      if (rest.length === 0) return match;
      const value = rest.shift();
      if (letter === "c") return "";
      if (letter === "d" || letter === "i") return String(Math.trunc(Number(value)));
      if (letter === "f") return String(Number(value));
      return inspect(value, 3);
    });
    return [filled, ...rest.map((value) => inspect(value, 3))].join(" ");
  }

  /** A value as text for a console. Strings inside other values are quoted. */
  function inspect(value, depth, inside = false) {
    if (typeof value === "string") return inside ? JSON.stringify(value) : value;
    if (typeof value === "function") return `[function ${value.name || "without a name"}]`;
    if (typeof value === "bigint") return `${value}n`;
    if (value === null || typeof value !== "object") return String(value);
    try {
      if (value instanceof Error) {
        const own = value.stack?.includes(value.message) ? value.stack : `${value.name}: ${value.message}\n${value.stack ?? ""}`;
        return value.cause === undefined || depth === 0 ? own : `${own}\nCaused by: ${inspect(value.cause, depth - 1)}`;
      }
      if (value instanceof Element) return value.cloneNode(false).outerHTML;
      if (value instanceof Date || value instanceof RegExp) return String(value);
      if (depth === 0) return Array.isArray(value) ? "[…]" : "{…}";
      const list = (items, show) => {
        const shown = [];
        for (const item of items) {
          if (shown.length === 100) return [...shown, "…"].join(", ");
          shown.push(show(item));
        }
        return shown.join(", ");
      };
      const each = (item) => inspect(item, depth - 1, true);
      const name = value.constructor?.name ?? "";
      if (Array.isArray(value)) return `[${list(value, each)}]`;
      if (ArrayBuffer.isView(value) && "length" in value) return `${name} [${list(value, each)}]`;
      if (value instanceof Set) return `Set {${list(value, each)}}`;
      if (value instanceof Map) return `Map {${list(value, ([key, held]) => `${each(key)} => ${each(held)}`)}}`;
      const body = list(Object.keys(value), (key) => `${/^[\w$]+$/.test(key) ? key : JSON.stringify(key)}: ${each(value[key])}`);
      return `${name === "" || name === "Object" ? "" : `${name} `}{${body}}`;
    } catch (error) {
      // A getter or a proxy of the page threw.
      return `[unreadable: ${error}]`;
    }
  }

  /** Rows and columns, aligned with spaces. Returns a value without rows unchanged. */
  function table(value, wanted) {
    if (value === null || typeof value !== "object") return value;
    try {
      const entries = value instanceof Map ? [...value] : Object.entries(value);
      const rows = entries.slice(0, 100);
      const columns = [];
      let values = false;
      for (const [, row] of rows) {
        if (row === null || typeof row !== "object") values = true;
        else for (const key of Object.keys(row)) if (!columns.includes(key) && columns.length < 20) columns.push(key);
      }
      const heads = Array.isArray(wanted) ? wanted.map(String) : columns;
      const lines = [["(index)", ...heads, ...(values ? ["Values"] : [])]];
      for (const [key, row] of rows) {
        const flat = row === null || typeof row !== "object";
        const cells = heads.map((head) => (!flat && head in row ? inspect(row[head], 1, true) : ""));
        lines.push([String(key), ...cells, ...(values ? [flat ? inspect(row, 1, true) : ""] : [])]);
      }
      const cut = lines.map((line) => line.map((cell) => cell.replaceAll("\n", " ").slice(0, 60)));
      const widths = cut[0].map((_head, at) => Math.max(...cut.map((line) => line[at].length)));
      const drawn = cut.map((line) =>
        line
          .map((cell, at) => cell.padEnd(widths[at]))
          .join("  ")
          .trimEnd(),
      );
      drawn.splice(1, 0, widths.map((width) => "─".repeat(width)).join("  "));
      if (entries.length > rows.length) drawn.push(`… ${entries.length - rows.length} more rows`);
      return drawn.join("\n");
    } catch (error) {
      // A getter or a proxy of the page threw.
      return `[unreadable: ${error}]`;
    }
  }

  kit.listenForErrors = () => {
    window.addEventListener(
      "error",
      (event) => {
        if (event instanceof ErrorEvent) {
          const place = event.filename ? ` (${event.filename}:${event.lineno}:${event.colno})` : "";
          print("error", [`${event.message}${place}`]);
        } else if (event.target instanceof Element) {
          // The element asked for a file by its name, and its URL is still being made.
          if (kit.isComing(event.target)) return event.stopImmediatePropagation();
          const source = event.target.getAttribute("src") ?? event.target.getAttribute("href") ?? "";
          // A page without its stylesheet still works, and its author may be about to write one.
          print(event.target.localName === "link" ? "warn" : "error", [
            source.startsWith("blob:missing/") ? kit.notThere(source) : `Couldn't load ${source}.`,
          ]);
        }
      },
      true,
    );
    window.addEventListener("unhandledrejection", (event) => print("error", ["Uncaught (in promise)", event.reason]));
    document.addEventListener("securitypolicyviolation", ({ blockedURI }) => {
      if (blockedURI === "" || kit.resolve(blockedURI) !== null) return;
      print("warn", [`The preview has no network access: ${blockedURI} wasn't loaded.`]);
    });
  };
});
