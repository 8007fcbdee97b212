console.error('Nothing is built, as after npm ci --ignore-scripts. Build it with: npm run build');
process.exitCode = 1;
