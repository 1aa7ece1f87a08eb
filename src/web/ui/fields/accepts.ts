/** Whether a dropped file fits an `accept` attribute, which browsers apply to chosen files only. */
export function accepts(accept: string | undefined, file: { name: string; type: string }): boolean {
  if (!accept) return true
  return accept.split(',').some((part) => {
    const rule = part.trim().toLowerCase()
    if (rule.startsWith('.')) return file.name.toLowerCase().endsWith(rule)
    if (rule.endsWith('/*')) return file.type.startsWith(rule.slice(0, -1))
    return file.type === rule
  })
}
