import { createTheme, virtualColor, type CSSVariablesResolver, type MantineColorsTuple } from '@mantine/core'

const accentShades: MantineColorsTuple = shades('var(--accent)')
const surfaces: MantineColorsTuple = [
  'var(--text)',
  'var(--text-2)',
  'var(--text-2)',
  'var(--text-3)',
  'var(--control-line)',
  'var(--raised)',
  'var(--surface)',
  'var(--bg)',
  'var(--bg)',
  'var(--bg)',
]

/** The component library in our look: one accent, our radius and type, nothing of its own. */
export const kitTheme = createTheme({
  primaryColor: 'accent',
  colors: { ledger: accentShades, dark: surfaces, accent: virtualColor({ name: 'accent', light: 'ledger', dark: 'ledger' }) },
  fontFamily: 'var(--font)',
  defaultRadius: 6,
  respectReducedMotion: true,
  cursorType: 'pointer',
})

/** Lays the library's variables on ours; both schemes alike, because ours switch by themselves. */
export const kitTokens: CSSVariablesResolver = () => ({ variables: {}, dark: sharedTokens, light: sharedTokens })

const sharedTokens: Readonly<Record<string, string>> = {
  '--mantine-color-body': 'var(--surface)',
  '--mantine-color-text': 'var(--text)',
  '--mantine-color-dimmed': 'var(--text-2)',
  '--mantine-color-placeholder': 'var(--text-3)',
  '--mantine-color-default': 'var(--surface)',
  '--mantine-color-default-hover': 'var(--hover)',
  '--mantine-color-default-color': 'var(--text)',
  '--mantine-color-default-border': 'var(--control-line)',
  '--mantine-color-error': 'var(--bad)',
  '--mantine-color-anchor': 'var(--accent)',
  '--mantine-primary-color-contrast': 'var(--on-accent)',
}

function shades(color: string): MantineColorsTuple {
  return [color, color, color, color, color, color, color, color, color, color]
}
