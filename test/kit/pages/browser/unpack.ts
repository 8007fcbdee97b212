import chromium from '@sparticuz/chromium';

// A process of its own: the package unpacks itself below TMPDIR.
await chromium.executablePath();
