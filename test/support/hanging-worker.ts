/** A process that takes a job and never ends it, to be killed meanwhile: `node hanging-worker.ts <database url>`. */
import { openDatabase } from '../../src/server/kernel/postgres/database.ts'
import { createJobs } from '../../src/server/kernel/work/jobs.ts'
import { createLog } from '../../src/server/kernel/log.ts'
import { quietMachinery } from './toy-server.ts'

const url = process.argv[2] ?? ''
const database = openDatabase({ url, size: 2 })
const jobs = createJobs({ url, log: createLog({ level: 'error' }) })
jobs.define({
  name: 'hanging',
  run: () => {
    process.stdout.write('taken\n')
    return new Promise(() => undefined)
  },
})
await jobs.start(quietMachinery(database))
await jobs.send(database.db, 'hanging', { number: 7 })
