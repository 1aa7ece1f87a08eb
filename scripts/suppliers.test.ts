import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { billOfMaterials, licencesOf } from './sbom.ts'
import { checkSupplied, notVerified, suppliedHere } from './suppliers.ts'

const folder = await mkdtemp(join(tmpdir(), 'meterbook-suppliers-'))
afterAll(() => rm(folder, { recursive: true }))

test(
  'the bill of materials names every package that runs here with its version, each states a licence but one, and none is under the GPL',
  { timeout: 120_000 },
  () => {
    const bill = billOfMaterials()
    const lock: { packages: Record<string, { version: string; dev?: boolean }> } = JSON.parse(
      readFileSync(join(import.meta.dirname, '../package-lock.json'), 'utf8'),
    )
    const locked = Object.entries(lock.packages).flatMap(([path, { version, dev }]) =>
      path === '' || dev === true ? [] : [`${path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)}@${version}`],
    )
    const named = new Set(bill.components.map(({ name, version }) => `${name}@${version}`))
    expect([...named].toSorted()).toEqual([...new Set(locked)].toSorted())
    expect(
      bill.dependencies.flatMap(({ dependsOn = [] }) => dependsOn).filter((ref) => /^(vitest|typescript|playwright-core)@/.test(ref)),
    ).toEqual([])
    const licences = licencesOf(bill)
    // Its package brings the text of the MIT licence and does not say so in its description.
    expect(licences.find(([name]) => name === '')?.[1]).toEqual([expect.stringMatching(/^png-js@/)])
    expect(licences.map(([name]) => name).filter((name) => /(?<!L)GPL/.test(name))).toEqual([])
  },
)

test('the packages that bring Node.js and PostgreSQL are those of the lock, and what cannot be verified is said', async () => {
  for (const one of suppliedHere) for (const { isGood, text } of await checkSupplied(one)) expect(isGood, text).toBe(true)
  expect(notVerified.length).toBeGreaterThan(0)
})

test('another version than the lock’s, one without a hash, and a program of another version are found', async () => {
  const name = 'some-program'
  await mkdir(join(folder, 'node_modules', name, 'bin'), { recursive: true })
  await writeFile(join(folder, 'node_modules', name, 'package.json'), JSON.stringify({ version: '1.2.4' }))
  await writeFile(join(folder, 'node_modules', name, 'bin/it'), '#!/bin/sh\necho v1.2.5\n', { mode: 0o755 })
  await writeFile(join(folder, 'package-lock.json'), JSON.stringify({ packages: { [`node_modules/${name}`]: { version: '1.2.3' } } }))
  const found = await checkSupplied({ name, program: 'bin/it', says: (version) => `v${version}` }, folder)
  expect(found.map(({ isGood }) => isGood)).toEqual([false, false, false, true])
})
