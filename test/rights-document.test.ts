/** docs/rights.md documents the access policy: it must match the policy. So must the documents of statuses and of refusals. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { fullStatuses, statusMeanings } from '#contract/bills/bill-status.ts'
import { problemCodes } from '#contract/kernel/problem.ts'
import { actions, models, type Action } from '#contract/kernel/permission.ts'
import { maskedModels, permissionsOfRole, roleNames, type SubscriptionFlags } from '#contract/access/rights.ts'

const letters: Readonly<Record<string, Action>> = { C: 'create', R: 'read', U: 'update', D: 'destroy', S: 'read_subscription' }
const textOf = (document: string): Promise<string> => readFile(join(import.meta.dirname, '../docs', document), 'utf8')
const text = await textOf('rights.md')

/** Returns the rows of the table under this heading, cell by cell, without its two heading lines. */
function tableUnder(heading: string): { readonly head: readonly string[]; readonly rows: readonly (readonly string[])[] } {
  const section = text.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? ''
  const lines = section.split('\n').filter((line) => line.startsWith('|'))
  const [head = [], , ...rows] = lines.map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  )
  return { head, rows }
}

describe('docs/rights.md [PERM-RULE-006]', () => {
  const { head, rows } = tableUnder('The matrix')

  test('has a column for each role, in order of rank, and a row for each model', () => {
    expect(head).toEqual(['model', ...roleNames])
    expect(rows.map(([model]) => model).toSorted()).toEqual(models.toSorted())
  })

  test.for(roleNames.map((role, at) => ({ role, at })))('grants $role what the policy grants', ({ role, at }) => {
    const written = rows.map(([model = '', ...cells]) => [
      model,
      (cells[at] ?? '')
        .split('')
        .flatMap((letter) => letters[letter] ?? [])
        .toSorted(),
    ])
    const held = permissionsOfRole(role)
    expect(Object.fromEntries(written)).toEqual(Object.fromEntries(models.map((model) => [model, (held[model] ?? []).toSorted()])))
  })

  test('knows every action by a letter', () => expect(Object.values(letters).toSorted()).toEqual(actions.toSorted()))

  test('says what each flag of a subscription switches off', () => {
    const on: SubscriptionFlags = {
      user_management: true,
      utility_payment_management: true,
      accounting_batch_management: true,
      ledger_account_management: true,
    }
    const written = tableUnder('What a subscription switches off').rows.map(([flag = '', list = '']) => [flag, list.split(', ').toSorted()])
    expect(Object.fromEntries(written)).toEqual(
      Object.fromEntries(Object.keys(on).map((flag) => [flag, maskedModels({ ...on, [flag]: false }, true).toSorted()])),
    )
  })
})

test('what the server refuses, what a status of a bill means and what a role may do are documented as they are [LIST-RULE-013]', async () => {
  const lines = [...(await textOf('api.md')).matchAll(/^\| ([a-z_]+) \| (\d{3}) \| [^|]+ \|$/gm)]
  expect(Object.fromEntries(lines.map(([, code = '', status]) => [code, Number(status)]))).toEqual(problemCodes)
  const statuses = [...(await textOf('bill-statuses.md')).matchAll(/^\| ([A-Z][^|]+) \| ([^|]+) \|$/gm)]
  expect(statuses.map(([, status, meaning]) => [status, meaning])).toEqual(fullStatuses.map((status) => [status, statusMeanings[status]]))
  const { head, rows } = tableUnder('The matrix')
  for (const [model = '', ...cells] of rows)
    for (const [place, role] of roleNames.entries()) {
      const written = (cells[place] ?? '').split('').flatMap((letter) => letters[letter] ?? [])
      const held = Object.entries(permissionsOfRole(role)).find(([name]) => name === model)?.[1] ?? []
      expect(written.toSorted(), `${role} ${model}`).toEqual(held.toSorted())
    }
  expect(head).toHaveLength(roleNames.length + 1)
  expect(rows).toHaveLength(models.length)
})
