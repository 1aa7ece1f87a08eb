/**
 * `npm run sbom`: writes the bill of materials of what runs (CycloneDX, JSON) into `sbom.json` or the file that is named, and prints how many
 * packages come under which licence, and which state none.
 */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const root = join(import.meta.dirname, '..')
const BYTES_MAX = 64 * 1024 * 1024

const licence = z.union([
  z.object({ license: z.object({ id: z.string().optional(), name: z.string().optional() }) }),
  z.object({ expression: z.string() }),
])
const property = z.object({ name: z.string(), value: z.string() })
const component = z.looseObject({
  'bom-ref': z.string(),
  name: z.string(),
  version: z.string(),
  licenses: z.array(licence).optional(),
  properties: z.array(property).default([]),
})
const bill = z.looseObject({
  bomFormat: z.literal('CycloneDX'),
  components: z.array(component),
  dependencies: z.array(z.looseObject({ ref: z.string(), dependsOn: z.array(z.string()).optional() })),
})

export type Bill = z.output<typeof bill>

/** The property by which npm marks a package that only builds and tests. Npm's own `--omit dev` drops some that run here as well, such as zod. */
const developmentProperty = 'cdx:npm:package:development'

/** The bill as npm makes it from the lock, without what only builds and tests. Of several systems it names the packages of each. */
export function billOfMaterials(): Bill {
  const words = ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--package-lock-only']
  const text = execFileSync('npm', words, { cwd: root, encoding: 'utf8', maxBuffer: BYTES_MAX, stdio: ['ignore', 'pipe', 'ignore'] })
  const whole = bill.parse(JSON.parse(text))
  const components = whole.components.filter(({ properties }) => !properties.some(({ name }) => name === developmentProperty))
  const left = new Set(whole.components.map((one) => one['bom-ref']).filter((ref) => !components.some((one) => one['bom-ref'] === ref)))
  const dependencies = whole.dependencies
    .filter(({ ref }) => !left.has(ref))
    .map((one) => ({ ...one, dependsOn: (one.dependsOn ?? []).filter((ref) => !left.has(ref)) }))
  return { ...whole, components, dependencies }
}

/** Packages by licence, the most first; those that state none under an empty name. */
export function licencesOf({ components }: Bill): [name: string, packages: string[]][] {
  const named = components.map(({ name, version, licenses = [] }) => ({
    what: `${name}@${version}`,
    licence: licenses.map((one) => ('expression' in one ? one.expression : (one.license.id ?? one.license.name ?? ''))).join(' and '),
  }))
  const groups = Map.groupBy(named, (one) => one.licence)
  return [...groups]
    .map(([name, packages]): [string, string[]] => [name, packages.map(({ what }) => what)])
    .toSorted((a, b) => b[1].length - a[1].length)
}

if (import.meta.main) {
  const file = process.argv[2] ?? join(root, 'sbom.json')
  const made = billOfMaterials()
  writeFileSync(file, `${JSON.stringify(made, null, 2)}\n`)
  for (const [name, packages] of licencesOf(made))
    console.log(`${String(packages.length).padStart(5)}  ${name === '' ? `none stated: ${packages.join(', ')}` : name}`)
  console.log(`${made.components.length} packages in ${file}`)
}
