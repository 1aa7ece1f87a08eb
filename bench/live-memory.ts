/**
 * Loaded into the product before its own code, with --expose-gc: at SIGUSR2 it collects all garbage and writes the bytes that are still in use,
 * of the heap and outside of it, to the file that LIVE_MEMORY_FILE names.
 */
import { renameSync, writeFileSync } from 'node:fs'

const file = process.env['LIVE_MEMORY_FILE']
if (file !== undefined)
  process.on('SIGUSR2', () => {
    globalThis.gc?.()
    const { heapUsed, external } = process.memoryUsage()
    // The reader sees the whole number or no file.
    writeFileSync(`${file}.part`, String(heapUsed + external))
    renameSync(`${file}.part`, file)
  })
