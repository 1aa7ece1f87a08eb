export const themes = ['dark', 'light', 'system'] as const
export type Theme = (typeof themes)[number]

export const defaultTheme: Theme = 'dark'

/** One year: the choice outlives the session. */
const THEME_COOKIE_SECONDS = 365 * 24 * 60 * 60

/** The theme in force, from the cookie `theme`; anything unknown is the default, dark. */
export function readTheme(cookies: string = document.cookie): Theme {
  const value = /(?:^|;\s*)theme=([^;]*)/.exec(cookies)?.[1]
  return themes.find((theme) => theme === value) ?? defaultTheme
}

/** Puts the theme on the page at once and keeps it in the cookie. */
export function saveTheme(theme: Theme): void {
  document.cookie = `theme=${theme}; path=/; max-age=${THEME_COOKIE_SECONDS}; samesite=lax`
  applyTheme(theme)
}

/** Writes the theme on the page: the root carries it for the styles, the body as the specification says. */
export function applyTheme(theme: Theme): void {
  document.documentElement.dataset['theme'] = theme
  document.body.dataset['theme'] = theme
  document.body.classList.remove(...themes)
  document.body.classList.add(theme)
}

/** Whether the page looks dark now; `system` asks the machine. */
export function isDark(theme: Theme): boolean {
  return theme === 'system' ? !globalThis.matchMedia('(prefers-color-scheme: light)').matches : theme === 'dark'
}
