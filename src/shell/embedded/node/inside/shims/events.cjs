module.exports = require("../events.js").default;
