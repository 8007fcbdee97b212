const { existsSync } = require('node:fs');
const { join } = require('node:path');

// A release has the native files of its platforms beside its programs; a checkout has that of its machine in a package.
const name = `argon2.${process.platform}-${process.arch}-gnu.node`;
const own = join(__dirname, 'native', name);
const native = existsSync(own) ? require(own) : require('@node-rs/argon2');
exports.hash = native.hash;
exports.verify = native.verify;
