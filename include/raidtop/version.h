/* The version, as --version and each recording tell it. */
#ifndef RAIDTOP_VERSION_H
#define RAIDTOP_VERSION_H

#define RAIDTOP_VERSION "0.1.0"

#endif
