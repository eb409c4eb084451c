module.exports = require("../buffer.js").default;
