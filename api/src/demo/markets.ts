import type { Depot } from '@roadshow/contract'

type Place = readonly [zip: string, area: string, street: string]

interface DemoMarket {
  name: string
  state: string
  zone: string
  latitude: number
  longitude: number
  radius_m: number
  depot: Depot
  /** Where a client's shops may be: real ZIP codes and streets, made-up house numbers. */
  places: readonly Place[]
}

type At = readonly [latitude: number, longitude: number]

/** A market around a point, with the radius in kilometers and the point of its yard. */
const market = (
  [name, state, zone]: readonly [string, string, string],
  { at: [latitude, longitude], km, yard }: { at: At; km: number; yard: At },
  places: readonly Place[],
): DemoMarket => ({
  name,
  state,
  zone: `America/${zone}`,
  latitude,
  longitude,
  radius_m: km * 1000,
  depot: { name: `${name} yard`, latitude: yard[0], longitude: yard[1], radiusM: 400 },
  places,
})

export const demoMarkets: readonly DemoMarket[] = [
  market(['Atlanta', 'GA', 'New_York'], { at: [33.749, -84.388], km: 45, yard: [33.703, -84.428] }, [
    ['30303', 'Downtown', 'Peachtree St SW'],
    ['30309', 'Midtown', 'Spring St NW'],
    ['30312', 'Grant Park', 'Boulevard SE'],
    ['30318', 'Westside', 'Howell Mill Rd NW'],
    ['30326', 'Buckhead', 'Lenox Rd NE'],
  ]),
  market(['Boston', 'MA', 'New_York'], { at: [42.3601, -71.0589], km: 35, yard: [42.392, -71.08] }, [
    ['02108', 'Beacon Hill', 'Tremont St'],
    ['02116', 'Back Bay', 'Boylston St'],
    ['02127', 'South Boston', 'W Broadway'],
    ['02139', 'Cambridge', 'Massachusetts Ave'],
    ['02215', 'Fenway', 'Brookline Ave'],
  ]),
  market(['Chicago', 'IL', 'Chicago'], { at: [41.8781, -87.6298], km: 45, yard: [41.812, -87.735] }, [
    ['60601', 'The Loop', 'N Michigan Ave'],
    ['60607', 'West Loop', 'W Madison St'],
    ['60611', 'Streeterville', 'E Ohio St'],
    ['60614', 'Lincoln Park', 'N Clark St'],
    ['60647', 'Logan Square', 'N Milwaukee Ave'],
  ]),
  market(['Dallas', 'TX', 'Chicago'], { at: [32.7767, -96.797], km: 55, yard: [32.808, -96.872] }, [
    ['75201', 'Downtown', 'Main St'],
    ['75204', 'Uptown', 'McKinney Ave'],
    ['75206', 'Lower Greenville', 'Greenville Ave'],
    ['75219', 'Oak Lawn', 'Cedar Springs Rd'],
    ['75225', 'Preston Center', 'Preston Rd'],
  ]),
  market(['Denver', 'CO', 'Denver'], { at: [39.7392, -104.9903], km: 45, yard: [39.78, -104.95] }, [
    ['80202', 'Union Station', '17th St'],
    ['80205', 'RiNo', 'Larimer St'],
    ['80206', 'Cherry Creek', 'E 2nd Ave'],
    ['80211', 'Highlands', 'W 32nd Ave'],
    ['80218', 'Capitol Hill', 'E Colfax Ave'],
  ]),
  market(['Houston', 'TX', 'Chicago'], { at: [29.7604, -95.3698], km: 60, yard: [29.79, -95.3] }, [
    ['77002', 'Downtown', 'Main St'],
    ['77006', 'Montrose', 'Westheimer Rd'],
    ['77008', 'The Heights', 'Yale St'],
    ['77027', 'River Oaks', 'Kirby Dr'],
    ['77056', 'Galleria', 'Post Oak Blvd'],
  ]),
  market(['Los Angeles', 'CA', 'Los_Angeles'], { at: [34.0522, -118.2437], km: 60, yard: [33.99, -118.21] }, [
    ['90012', 'Downtown', 'N Broadway'],
    ['90026', 'Echo Park', 'W Sunset Blvd'],
    ['90028', 'Hollywood', 'Hollywood Blvd'],
    ['90036', 'Fairfax', 'Wilshire Blvd'],
    ['90401', 'Santa Monica', 'Ocean Ave'],
  ]),
  market(['Miami', 'FL', 'New_York'], { at: [25.7617, -80.1918], km: 45, yard: [25.83, -80.3] }, [
    ['33127', 'Wynwood', 'NW 2nd Ave'],
    ['33130', 'Brickell', 'SW 8th St'],
    ['33132', 'Downtown', 'Biscayne Blvd'],
    ['33134', 'Coral Gables', 'Miracle Mile'],
    ['33139', 'Miami Beach', 'Washington Ave'],
  ]),
  market(['New York', 'NY', 'New_York'], { at: [40.7128, -74.006], km: 40, yard: [40.728, -73.935] }, [
    ['10001', 'Chelsea', 'W 34th St'],
    ['10003', 'Union Square', 'Broadway'],
    ['10019', 'Midtown West', '8th Ave'],
    ['11201', 'Downtown Brooklyn', 'Court St'],
    ['11211', 'Williamsburg', 'Bedford Ave'],
  ]),
  market(['Phoenix', 'AZ', 'Phoenix'], { at: [33.4484, -112.074], km: 55, yard: [33.43, -112.13] }, [
    ['85003', 'Downtown', 'W Washington St'],
    ['85012', 'Uptown', 'N Central Ave'],
    ['85016', 'Biltmore', 'E Camelback Rd'],
    ['85018', 'Arcadia', 'E Indian School Rd'],
    ['85281', 'Tempe', 'S Mill Ave'],
  ]),
  market(['San Francisco', 'CA', 'Los_Angeles'], { at: [37.7749, -122.4194], km: 50, yard: [37.742, -122.395] }, [
    ['94102', 'Civic Center', 'Market St'],
    ['94103', 'SoMa', 'Folsom St'],
    ['94110', 'Mission', 'Valencia St'],
    ['94114', 'Castro', 'Castro St'],
    ['94612', 'Oakland', 'Broadway'],
  ]),
  market(['Seattle', 'WA', 'Los_Angeles'], { at: [47.6062, -122.3321], km: 45, yard: [47.55, -122.325] }, [
    ['98101', 'Downtown', 'Pine St'],
    ['98103', 'Fremont', 'Fremont Ave N'],
    ['98107', 'Ballard', 'NW Market St'],
    ['98109', 'South Lake Union', 'Westlake Ave N'],
    ['98122', 'Capitol Hill', 'E Pike St'],
  ]),
]
