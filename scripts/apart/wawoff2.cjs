exports.decompress = require('wawoff2/decompress');
