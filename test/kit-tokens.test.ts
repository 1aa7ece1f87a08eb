import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const kit = createRequire(import.meta.url)
const sheet = (name: string) => readFileSync(kit.resolve(name), 'utf8')
const used = (text: string, pattern: RegExp) => new Set([...text.matchAll(pattern)].map((match) => match[1] ?? ''))

test('every colour that the calendar’s style sheets name is one of our tokens, and every other variable has a value', () => {
  const named = used(
    sheet('@mantine/dates/styles.layer.css') + sheet('@mantine/core/styles/UnstyledButton.layer.css'),
    /var\((--mantine-[\w-]+)/g,
  )
  const own = used(readFileSync(join(import.meta.dirname, '../src/web/ui/kit-tokens.css'), 'utf8'), /(--mantine-[\w-]+):/g)
  const given = used(sheet('@mantine/core/styles/default-css-variables.layer.css'), /(--mantine-[\w-]+):/g)
  expect(named.size).toBeGreaterThan(20)
  expect([...named].filter((name) => name.includes('-color-') && !own.has(name))).toEqual([])
  expect([...named].filter((name) => !own.has(name) && !given.has(name))).toEqual([])
})
