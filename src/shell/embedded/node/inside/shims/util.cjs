// What the assert package uses of util.
const { inspect } = require("node-inspect-extracted");
const { types } = require("../types.js");

module.exports = { inspect, types };
