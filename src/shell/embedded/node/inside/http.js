// The modules http and https.
import { Agent, ClientRequest, HttpsAgent } from "./http-client.js";
import { notHere } from "./errors.js";
import { IncomingMessage, OutgoingMessage, serverResponse, validateHeaderName, validateHeaderValue } from "./http-messages.js";
import { httpServer } from "./http-server.js";
import { callable } from "./net.js";

const methods =
  "ACL BIND CHECKOUT CONNECT COPY DELETE GET HEAD LINK LOCK M-SEARCH MERGE MKACTIVITY MKCALENDAR MKCOL MOVE NOTIFY OPTIONS PATCH POST PROPFIND PROPPATCH PURGE PUT REBIND REPORT SEARCH SOURCE SUBSCRIBE TRACE UNBIND UNLINK UNLOCK UNSUBSCRIBE".split(
    " ",
  );
const statusCodes = {
  100: "Continue",
  101: "Switching Protocols",
  200: "OK",
  201: "Created",
  202: "Accepted",
  204: "No Content",
  206: "Partial Content",
  301: "Moved Permanently",
  302: "Found",
  303: "See Other",
  304: "Not Modified",
  307: "Temporary Redirect",
  308: "Permanent Redirect",
  400: "Bad Request",
  401: "Unauthorized",
  402: "Payment Required",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  406: "Not Acceptable",
  408: "Request Timeout",
  409: "Conflict",
  410: "Gone",
  411: "Length Required",
  412: "Precondition Failed",
  413: "Payload Too Large",
  414: "URI Too Long",
  415: "Unsupported Media Type",
  418: "I'm a Teapot",
  422: "Unprocessable Entity",
  429: "Too Many Requests",
  500: "Internal Server Error",
  501: "Not Implemented",
  502: "Bad Gateway",
  503: "Service Unavailable",
  504: "Gateway Timeout",
};

const ServerResponse = serverResponse(statusCodes);
const Server = httpServer(ServerResponse);

/** The functions that make requests for a protocol. */
function client(protocol, agent) {
  const request = (...given) => new ClientRequest(protocol, given);
  return { request, get: (...given) => request(...given).end(), globalAgent: agent };
}

function Request(...given) {
  return new ClientRequest("http:", given);
}
Object.defineProperty(Request, "name", { value: "ClientRequest" });
Request.prototype = ClientRequest.prototype;

export const http = {
  METHODS: methods,
  STATUS_CODES: statusCodes,
  maxHeaderSize: 16_384,
  Agent: callable(Agent),
  ClientRequest: Request,
  IncomingMessage,
  OutgoingMessage,
  Server: callable(Server),
  ServerResponse,
  createServer: (options, listener) => new Server(options, listener),
  validateHeaderName,
  validateHeaderValue,
  setMaxIdleHTTPParsers() {},
  ...client("http:", new Agent()),
};

const noTls = (name) =>
  function () {
    throw notHere(`a server can't have https here: use http (${name})`);
  };

export const https = {
  Agent: callable(HttpsAgent),
  Server: noTls("Server"),
  createServer: noTls("createServer"),
  ...client("https:", new HttpsAgent()),
};
