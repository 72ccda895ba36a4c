/* io/file_impl.h - shared by the file functions of this room. */
#ifndef WEIR_IO_FILE_IMPL_H
#define WEIR_IO_FILE_IMPL_H

/* |path| without "file://". */
const char *weir_path_local(const char *path);

#endif
