// Plain JavaScript on purpose: an old Node cannot even parse the program's own files, and this prints a clear message.
const nodeMajorLeast = 24
const [major = '0'] = process.versions.node.split('.')
if (Number(major) < nodeMajorLeast) {
  console.error(
    `Meterbook needs Node.js ${nodeMajorLeast} or newer, and npm ci brought none for this platform (this is ${process.versions.node}). Please install it and start again.`,
  )
  process.exit(1)
}
