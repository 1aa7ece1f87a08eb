/** `npm start`. The version check comes first and the rest is loaded after it, because older versions of Node cannot even parse it. */
const NODE_MAJOR_LEAST = 24

if (Number(process.versions.node.split('.')[0]) < NODE_MAJOR_LEAST) {
  console.error(
    `Meterbook needs Node.js ${NODE_MAJOR_LEAST} or newer, but this is ${process.versions.node}. npm ci installs a fitting one for Linux and macOS, which npm start uses; elsewhere install it yourself.`,
  )
  process.exit(1)
}

// The compile cache is kept between starts, next to the packages: anyone who may write there could change the program itself anyway. If the
// folder is not writable, nothing is kept and every start takes as long as the first.
const { enableCompileCache, flushCompileCache } = await import('node:module')
const { join } = await import('node:path')
enableCompileCache(join(import.meta.dirname, '../../node_modules/.cache/node'))

const { run } = await import('./run.ts')
const { parts } = await import('./parts.ts')
await run(parts)
// Otherwise it is written at the end of the process, which a killed process never reaches.
flushCompileCache()

export {}
