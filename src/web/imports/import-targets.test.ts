import { expect, test } from 'vitest'
import { importKinds } from '#contract/imports/import.ts'
import { importFileCalls } from '#contract/imports/import-calls.ts'
import { importTargets } from './import-targets.ts'

test('every kind that takes files has a page, called as its columns call it, at the list that its call fills', () => {
  expect(importTargets.map(({ kind }) => kind).toSorted()).toEqual(Object.keys(importFileCalls).toSorted())
  for (const { kind, labels, list, may } of importTargets) {
    expect(labels).toBe(importKinds[kind].labels)
    // The lists of the settings stand under their menu; their calls do not.
    expect(`${list.replace(/^\/settings/, '')}/import`).toBe(importFileCalls[kind].path)
    expect(may).toBe(importFileCalls[kind].may)
  }
})
