/** The name the server runs under: it stands in every page it serves. */
export const brandName = (): string =>
  document.querySelector<HTMLMetaElement>('meta[name="application-name"]')?.content || 'Roadshow'
