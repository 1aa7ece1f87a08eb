/** `npm start`. The check comes first and the rest is loaded after it, because older versions cannot even read it. */
const NODE_MAJOR_LEAST = 24

if (Number(process.versions.node.split('.')[0]) < NODE_MAJOR_LEAST) {
  console.error(
    `Meterbook needs Node.js ${NODE_MAJOR_LEAST} or newer, but this is ${process.versions.node}. npm ci installs a fitting one for Linux and macOS, which npm start uses; elsewhere install it yourself.`,
  )
  process.exit(1)
}

// Compiled code is kept between starts, beside the packages, so that whoever may write there could change the program itself anyway.
// Where nobody may write, nothing is kept and the start takes as long as a first one.
const { enableCompileCache, flushCompileCache } = await import('node:module')
const { join } = await import('node:path')
enableCompileCache(join(import.meta.dirname, '../../node_modules/.cache/node'))

const { run } = await import('./run.ts')
const { parts } = await import('./parts.ts')
await run(parts)
// Written at the end of a process otherwise, which a killed one never reaches.
flushCompileCache()

export {}
