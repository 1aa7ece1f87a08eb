/** All code that computes hashes, seals and keys, with its strength. It is read from the sources, so that each new use is decided here. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path))
  .map((path) => ({ path, text: readFileSync(join(root, 'src', path), 'utf8') }))
const found = (pattern: RegExp) =>
  sources.flatMap(({ path, text }) => [...text.matchAll(pattern)].map((match) => ({ path, what: match.slice(1).join(' ') })))
const kinds = (all: readonly { what: string }[]) => [...new Set(all.map(({ what }) => what))].toSorted()

test('hashes are SHA-256; MD5 is a checksum that S3 asks for, SHA-1 the code of authenticator apps', () => {
  const hashes = found(/create(Hash|Hmac)\(\s*'([\w-]+)'/g)
  expect(hashes.length).toBeGreaterThan(20)
  expect(kinds(hashes)).toEqual(['Hash md5', 'Hash sha256', 'Hmac sha1', 'Hmac sha256'])
  expect(hashes.filter(({ what }) => what === 'Hash md5').map(({ path }) => path)).toEqual(['server/uploads/checked-bytes.ts'])
  expect(hashes.filter(({ what }) => what === 'Hmac sha1').map(({ path }) => path)).toEqual(['server/access/totp.ts'])
  // A name that is not written where it is used would be seen by nobody.
  expect(found(/create(?:Hash|Hmac)\(\s*([^'\s][^,)]*)/g)).toEqual([])
})

test('what computes them is the platform’s OpenSSL, and a library for Argon2', () => {
  expect(kinds(found(/from '([^']*(?:crypto|argon|bcrypt|scrypt|cipher|hash|noble|nacl|jose|forge)[^']*)'/g))).toEqual([
    '@node-rs/argon2',
    'node:crypto',
  ])
})

test('certificates of others are checked: nothing switches that off', () => {
  expect(found(/(rejectUnauthorized|NODE_TLS_REJECT_UNAUTHORIZED|checkServerIdentity|no-verify)/g)).toEqual([])
})
