/**
 * Runs in each file of the server's and the browser's tests. The files of a worker share its modules, so each restores what it changed in
 * them.
 */
import { afterAll } from 'vitest'
import { setClock } from '../../src/server/kernel/clock.ts'
import { countAnew } from './counter.ts'
import { endFile } from './end-of-file.ts'

countAnew()
afterAll(async () => {
  setClock()
  await endFile()
})
