module.exports = require('pdfkit');
