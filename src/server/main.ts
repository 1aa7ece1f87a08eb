/** `npm start`. The check comes first and the rest is loaded after it, because older versions cannot even read it. */
const NODE_MAJOR_LEAST = 24

if (Number(process.versions.node.split('.')[0]) < NODE_MAJOR_LEAST) {
  console.error(
    `Meterbook needs Node.js ${NODE_MAJOR_LEAST} or newer, but this is ${process.versions.node}. npm ci installs a fitting one for Linux and macOS, which npm start uses; elsewhere install it yourself.`,
  )
  process.exit(1)
}

const { run } = await import('./run.ts')
const { parts } = await import('./parts.ts')
await run(parts)

export {}
