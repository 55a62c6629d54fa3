/** What the console is called at the test's identity provider. */
export const CLIENT_ID = 'roadshow'
export const CLIENT_SECRET = 'a secret that only the two of them know'
