/**
 * Runs in each file of the server's and the browser's tests. The files of a worker share its modules, so each restores what it changed in
 * them.
 */
import { afterAll, expect, inject } from 'vitest'
import { setClock } from '../../src/server/kernel/clock.ts'
import { countAnew } from './counter.ts'
import { endFile } from './end-of-file.ts'
import { recordRows } from './rows/received-rows.ts'
import { faultsOfRows } from './rows/rows-of-file.ts'

countAnew()
recordRows()
afterAll(async () => {
  setClock()
  await endFile()
  expect(faultsOfRows(inject('nullableColumns')), 'rows of statements that are declared wrong').toEqual([])
})
