// Plain JavaScript on purpose: an old Node cannot even read the program's own files, and this says so in a sentence.
const nodeMajorLeast = 24
const [major = '0'] = process.versions.node.split('.')
if (Number(major) < nodeMajorLeast) {
  console.error(
    `Meterbook needs Node.js ${nodeMajorLeast} or newer, and npm ci brought none for this platform (this is ${process.versions.node}). Please install it and start again.`,
  )
  process.exit(1)
}
