/** The name the server runs under: it stands in every page it serves. */
export const brandName = (): string =>
  document.querySelector<HTMLMetaElement>('meta[name="application-name"]')?.content || 'Roadshow'

const brandMeta = () => document.querySelector<HTMLMetaElement>('meta[name="brand"]')

/** The address of the company's logo, if it has one. */
export const brandLogo = (): string | undefined => brandMeta()?.content || undefined

/** Lays the company's color under the header and the sign-in form. Without one the look's own stays. */
export function showBrandColor(): void {
  const color = brandMeta()?.dataset['color']
  if (color) document.documentElement.style.setProperty('--company', color)
}
