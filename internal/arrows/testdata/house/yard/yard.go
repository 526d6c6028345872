// Package yard is another room.
package yard

import _ "example.com/house/kitchen"
